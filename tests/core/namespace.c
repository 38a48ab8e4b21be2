// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Time namespaces: the first page holds the offsets, the second is the real one.
 */
#include "core.h"
#include "model.h"

static struct vdso_timekeeper tk;
static struct model_namespace ns;

/* The kernel makes the namespace's page when its own has long been filled. */
static void enter_namespace(void)
{
	clear_pages();
	vdso_set_cpu(second_page(), VDSO_CPU_SIM, 7);
	vdso_update(second_page(), &tk);
	vdso_fill_timens(vdso_pages, second_page(), &ns.monotonic, &ns.boottime);
}

static void random_namespace(void)
{
	random_timekeeper(&tk);
	ns.monotonic = random_offset();
	ns.boottime = random_offset();
	enter_namespace();
}

static void check_clock(int id)
{
	struct model_time expected = model_read(&tk, &ns, id, sim.counter);
	unsigned long calls = sim.calls;
	struct old_time got;
#ifdef __NR_clock_gettime64
	struct new_time got64;
#endif

	if (expected.overflow)
		return;
	__vdso_clock_gettime(id, &got);
	expect(sim.calls - calls == !expected.served, "clock %d: served or not", id);
	if (!expected.served)
		return;
	expect(got.sec == (__kernel_long_t)expected.sec &&
	       got.part == (__kernel_long_t)expected.nsec, "clock %d: %lld.%09ld, not %lld.%09u",
	       id, (long long)got.sec, (long)got.part, (long long)expected.sec, expected.nsec);
#ifdef __NR_clock_gettime64
	__vdso_clock_gettime64(id, &got64);
	expect(got64.sec == expected.sec && got64.nsec == expected.nsec, "clock %d, 64-bit", id);
#endif
}

static void test_reading(void)
{
	for (int round = 0; round < rounds(20000); round++) {
		random_namespace();
		sim.counter = tk.real.cycle_last + random_bits(40);
		for (int id = 0; id < VDSO_CLOCKS; id++)
			check_clock(id);
	}
	conclude("every clock in a namespace is exact, with any offsets");
}

/* As large as two parts below a second each can get, and the short way's end. */
static void test_carry(void)
{
	for (int round = 0; round < rounds(5000); round++) {
		const struct vdso_clock *c = &second_page()->clock[CLOCK_MONOTONIC];

		random_namespace();
		ns.monotonic.nsec = ns.boottime.nsec = NSEC_PER_SEC - 1;
		ns.monotonic.sec = ns.boottime.sec = -1;
		tk.real.nsec = ((u64)NSEC_PER_SEC << tk.real.shift) - 1;
		enter_namespace();
		sim.counter = tk.real.cycle_last + c->max_delta - random_below(2);
		for (int id = 0; id < VDSO_CLOCKS; id++)
			check_clock(id);
	}
	conclude("offsets carry into the seconds exactly");
}

/* In a namespace REALTIME, TAI and their kind are what they are outside. */
static void test_real_clocks(void)
{
	static const int ids[] = {
		CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_TAI, CLOCK_REALTIME_ALARM, CLOCK_AUX,
	};

	for (int round = 0; round < rounds(1000); round++) {
		random_namespace();
		for (unsigned int i = 0; i < ARRAY_SIZE(ids); i++) {
			const struct vdso_clock *c = &vdso_pages->clock[ids[i]];

			expect(!c->sec && !c->nsec, "clock %d has an offset", ids[i]);
		}
	}
	conclude("clocks that follow REALTIME have no offset");
}

static void test_other_functions(void)
{
	for (int round = 0; round < rounds(1000); round++) {
		u32 cpu, node;
		s32 tz[2];
		struct old_time ts = { 0 };
		unsigned long calls;

		random_namespace();
		sim.cpu = (u32)round;
		calls = sim.calls;
		expect(!__vdso_gettimeofday(NULL, tz) && tz[0] == tk.tz_minuteswest &&
		       tz[1] == tk.tz_dsttime, "time zone");
		expect(!__vdso_getcpu(&cpu, &node, NULL) && cpu == sim.cpu && node == 7, "getcpu");
		expect(!__vdso_clock_getres(CLOCK_MONOTONIC_COARSE, &ts) &&
		       ts.part == (__kernel_long_t)tk.coarse_res, "clock_getres");
#ifdef __NR_time
		expect(__vdso_time(NULL) == (__kernel_long_t)model_read(&tk, NULL,
			CLOCK_REALTIME_COARSE, 0).sec, "time");
#endif
		expect(sim.calls == calls, "a system call was made");
	}
	conclude("time zone, time, resolutions and CPU number come from the real page");
}

static void test_unserved(void)
{
	unsigned long calls;
	struct old_time ts;
	s32 tz[2];

	clear_pages();
	ns.monotonic = ns.boottime = random_offset();
	vdso_fill_timens(vdso_pages, second_page(), &ns.monotonic, &ns.boottime);
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		calls = sim.calls;
		__vdso_clock_gettime(id, &ts);
		__vdso_clock_getres(id, &ts);
		expect(sim.calls == calls + 2, "clock %d", id);
	}
	calls = sim.calls;
	__vdso_gettimeofday(&ts.sec, tz);
	__vdso_gettimeofday(NULL, tz);
	expect(sim.calls == calls + 2, "gettimeofday");
#ifdef __NR_time
	__vdso_time(NULL);
	expect(sim.calls == calls + 3, "time");
#endif
	conclude("what the real page does not serve makes the system call");
}

/* A page of offsets where the real page should be must not send the reader on and on. */
static void test_nested(void)
{
	struct old_time ts;

	random_namespace();
	vdso_fill_timens(second_page(), second_page(), &ns.monotonic, &ns.boottime);
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		unsigned long calls = sim.calls;

		__vdso_clock_gettime(id, &ts);
		expect(sim.calls == calls + 1, "clock %d", id);
	}
	conclude("offsets on both pages: the system call");
}

static void test_writer_died(void)
{
	struct old_time ts;

	random_namespace();
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		unsigned long calls = sim.calls;

		vdso_seq_open(&second_page()->clock[id]);
		__vdso_clock_gettime(id, &ts);
		expect(sim.calls == calls + 1, "clock %d", id);
	}
	conclude("a record of the real page left open: the system call");
}

/* The writer works on the real page at some step of the read. */
static struct vdso_timekeeper next_tk;
static unsigned int events, act_at;

static void update_once(enum sim_event event)
{
	if (events++ != act_at)
		return;
	sim.at = NULL;
	vdso_update(second_page(), &next_tk);
}

static void test_update_meanwhile(void)
{
	for (int round = 0; round < rounds(2000); round++) {
		struct model_time old, new;
		struct old_time got;

		random_namespace();
		random_timekeeper(&next_tk);
		sim.counter = random_u64();
		old = model_read(&tk, &ns, CLOCK_MONOTONIC, sim.counter);
		new = model_read(&next_tk, &ns, CLOCK_MONOTONIC, sim.counter);
		events = 0;
		act_at = (unsigned int)random_below(6);
		sim.at = update_once;
		__vdso_clock_gettime(CLOCK_MONOTONIC, &got);
		sim.at = NULL;
		expect(old.overflow || new.overflow ||
		       (got.sec == (__kernel_long_t)old.sec &&
			got.part == (__kernel_long_t)old.nsec) ||
		       (got.sec == (__kernel_long_t)new.sec &&
			got.part == (__kernel_long_t)new.nsec), "update at step %u", act_at);
	}
	conclude("an update of the real page during a read: the old time or the new one");
}

int main(void)
{
	random_seed();
	test_reading();
	test_carry();
	test_real_clocks();
	test_other_functions();
	test_unserved();
	test_nested();
	test_writer_died();
	test_update_meanwhile();
	return tap_done();
}
