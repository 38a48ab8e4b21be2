// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the page does not serve reaches the system call: the right one, with the
 * caller's own arguments, and its result reaches the caller.
 */
#include <limits.h>
#include "core.h"
#include "model.h"

static struct vdso_timekeeper tk;

/* No vDSO answer looks like these. */
#define RESULT	(-1234)

/* @returned came from exactly one system call, made with these arguments. */
static bool fell_back(long returned, long nr, long a, long b, long c)
{
	bool right = returned == RESULT && sim.calls == 1 && sim.call.nr == nr &&
		     sim.call.a == a && sim.call.b == b && sim.call.c == c;

	sim.calls = 0;
	return right;
}

static bool served(long returned)
{
	bool right = returned == 0 && sim.calls == 0;

	sim.calls = 0;
	return right;
}

static bool untouched(const struct old_time *ts)
{
	return ts->sec == UNTOUCHED && ts->part == UNTOUCHED;
}

static void check_gettime(int id)
{
	bool expected = model_read(&tk, NULL, id, sim.counter).served;
	struct old_time ts = { UNTOUCHED, UNTOUCHED };
	int ret = __vdso_clock_gettime(id, &ts);

	if (expected)
		expect(served(ret) && !untouched(&ts), "clock_gettime(%d)", id);
	else
		expect(fell_back(ret, __NR_clock_gettime, id, (long)&ts, 0) && untouched(&ts),
		       "clock_gettime(%d)", id);
}

static void check_getres(int id)
{
	u32 res = model_res(&tk, id);
	struct old_time ts = { UNTOUCHED, UNTOUCHED };
	int ret = __vdso_clock_getres(id, &ts);

	if (!res) {
		expect(fell_back(ret, __NR_clock_getres, id, (long)&ts, 0) && untouched(&ts),
		       "clock_getres(%d)", id);
		ret = __vdso_clock_getres(id, NULL);
		expect(fell_back(ret, __NR_clock_getres, id, 0, 0), "clock_getres(%d, NULL)", id);
		return;
	}
	expect(served(ret) && !ts.sec && ts.part == (__kernel_long_t)res, "clock_getres(%d)", id);
	expect(served(__vdso_clock_getres(id, NULL)), "clock_getres(%d, NULL)", id);
}

#ifdef __NR_clock_gettime64
static void check_id64(int id)
{
	struct new_time ts = { UNTOUCHED, UNTOUCHED };
	u32 res = model_res(&tk, id);
	int ret = __vdso_clock_gettime64(id, &ts);

	if (model_read(&tk, NULL, id, sim.counter).served)
		expect(served(ret), "clock_gettime64(%d)", id);
	else
		expect(fell_back(ret, __NR_clock_gettime64, id, (long)&ts, 0) &&
		       ts.sec == UNTOUCHED && ts.nsec == UNTOUCHED, "clock_gettime64(%d)", id);

	ret = __vdso_clock_getres_time64(id, &ts);
	if (res)
		expect(served(ret) && !ts.sec && ts.nsec == res, "clock_getres_time64(%d)", id);
	else
		expect(fell_back(ret, __NR_clock_getres_time64, id, (long)&ts, 0),
		       "clock_getres_time64(%d)", id);
}
#else
static void check_id64(int id)
{
}
#endif

static void check_id(int id)
{
	check_gettime(id);
	check_getres(id);
	check_id64(id);
}

/* Ids that mean a process's or a thread's CPU time, or a clock device. */
static int dynamic_id(void)
{
	u32 pid_or_fd = (u32)random_bits(28);

	return (int)(~pid_or_fd << 3 | (u32)random_below(8));
}

static void check_all_ids(void)
{
	for (int id = -1000; id <= 1000; id++)
		check_id(id);
	check_id(INT_MAX);
	check_id(INT_MIN);
	for (int i = 0; i < 1000; i++)
		check_id(dynamic_id());
}

static void test_ids(const char *property)
{
	vdso_update(vdso_pages, &tk);
	sim.counter = tk.real.cycle_last;
	check_all_ids();
	conclude(property);
}

static void test_optional_clocks(void)
{
	random_timekeeper(&tk);
	tk.alarm_clocks = false;
	tk.aux_enabled = 0;
	test_ids("ids: without ALARM and AUX clocks these make the system call");
	tk.alarm_clocks = true;
	for (int i = 0; i < VDSO_AUX_CLOCKS; i++) {
		tk.aux_enabled = (u8)(1u << i);
		vdso_update(vdso_pages, &tk);
		check_all_ids();
	}
	tk.aux_enabled = 0xff;
	test_ids("ids: ALARM and AUX clocks are served exactly when they are filled");
	tk.real.mode = VDSO_MODE_SYSCALL;
	test_ids("ids: an unusable counter leaves the coarse and the AUX clocks");
}

static void test_empty_page(void)
{
	struct old_time tv = { UNTOUCHED, UNTOUCHED };
	s32 tz[2];

	clear_pages();
	memset(&tk, 0, sizeof(tk));
	tk.real.nsec = ~0ull;	/* for the model: not even a coarse clock */
	check_all_ids();
	expect(fell_back(__vdso_gettimeofday(&tv.sec, tz), __NR_gettimeofday,
			 (long)&tv, (long)tz, 0), "gettimeofday");
	expect(fell_back(__vdso_gettimeofday(&tv.sec, NULL), __NR_gettimeofday, (long)&tv, 0, 0),
	       "gettimeofday without a zone");
	expect(fell_back(__vdso_gettimeofday(NULL, tz), __NR_gettimeofday, 0, (long)tz, 0),
	       "gettimeofday, only the zone");
#ifdef __NR_time
	expect(fell_back(__vdso_time(&tv.sec), __NR_time, (long)&tv, 0, 0), "time");
	expect(fell_back(__vdso_time(NULL), __NR_time, 0, 0, 0), "time(NULL)");
#endif
	expect(untouched(&tv), "structures left alone");
	conclude("on a page that nobody filled every function makes the system call");
}

static void test_gettimeofday(void)
{
	s32 tz[2] = { 0 };
	struct old_time tv;

	random_timekeeper(&tk);
	vdso_update(vdso_pages, &tk);
	expect(served(__vdso_gettimeofday(NULL, NULL)), "nothing asked for");
	expect(served(__vdso_gettimeofday(NULL, tz)) && tz[0] == tk.tz_minuteswest &&
	       tz[1] == tk.tz_dsttime, "only the zone");
	vdso_update_timezone(vdso_pages, -60, 1);
	expect(served(__vdso_gettimeofday(&tv.sec, tz)) && tz[0] == -60 && tz[1] == 1,
	       "the zone changed alone");

	tk.real.mode = VDSO_MODE_SYSCALL;
	vdso_update(vdso_pages, &tk);
	expect(fell_back(__vdso_gettimeofday(&tv.sec, tz), __NR_gettimeofday,
			 (long)&tv, (long)tz, 0), "both by system call");
	expect(served(__vdso_gettimeofday(NULL, tz)) && tz[0] == tk.tz_minuteswest,
	       "the zone follows the update whatever the counter is");
	conclude("gettimeofday: each pointer may be NULL; the zone needs no counter");
}

static void test_getcpu(void)
{
	u32 cpu = UNTOUCHED, node = UNTOUCHED;
	char unused;

	clear_pages();
	expect(fell_back(__vdso_getcpu(&cpu, &node, &unused), __NR_getcpu,
			 (long)&cpu, (long)&node, (long)&unused), "not served");
	expect(cpu == UNTOUCHED && node == UNTOUCHED, "not served: left alone");

	vdso_set_cpu(vdso_pages, VDSO_CPU_SIM, 5);
	sim.cpu = 3;
	expect(served(__vdso_getcpu(&cpu, &node, NULL)) && cpu == 3 && node == 5, "both");
	sim.cpu = 4;
	expect(served(__vdso_getcpu(&cpu, NULL, NULL)) && cpu == 4, "only the CPU");
	node = UNTOUCHED;
	expect(served(__vdso_getcpu(NULL, &node, NULL)) && node == 5 && cpu == 4, "only the node");
	expect(served(__vdso_getcpu(NULL, NULL, NULL)), "neither");
	conclude("getcpu: by instruction or by system call; each pointer may be NULL");
}

int main(void)
{
	random_seed();
	sim.result = RESULT;
	test_optional_clocks();
	test_empty_page();
	test_gettimeofday();
	test_getcpu();
	return tap_done();
}
