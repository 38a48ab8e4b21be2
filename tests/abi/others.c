// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * gettimeofday(), time() and getcpu() against the system calls, with every kind
 * of pointer.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/tap.h"
#include "places.h"

/* The ABI's own struct timeval: two numbers of the width of its time_t. */
#define TIMEVAL_SIZE	(2 * sizeof(long))
#define TIMEZONE_SIZE	8

static bool compare(const char *name, any_function f, long nr, const struct place *a,
		    const struct place *b)
{
	struct outcome outcome = guarded_call(f, (long)a->at, (long)b->at, 0);
	long wanted = raw_syscall(nr, (long)a->at, (long)b->at, 0);

	outcome.ret = (int)outcome.ret;
	if (outcome_agrees(outcome, wanted) ||
	    (outcome.fault && (a->may_fault || b->may_fault)))
		return true;
	diag("%s(%s, %s): %s%ld, the system call returns %ld", name, a->name, b->name,
	     outcome.fault ? "fault, not " : "", outcome.ret, wanted);
	return false;
}

/* All pairs of pointers; @sizes are those of what they point to. */
static void test_pairs(const char *name, any_function f, long nr, const size_t sizes[2])
{
	struct place first[PLACES];
	int wrong = 0;

	memcpy(first, places(sizes[0]), sizeof(first));
	for (int i = 0; i < PLACES; i++)
		for (int j = 0; j < PLACES; j++)
			wrong += !compare(name, f, nr, &first[i], &places(sizes[1])[j]);
	ok(!wrong, "%s: every pair of pointers: the system call's results", name);
}

static int64_t timeval_us(const long tv[2])
{
	return (int64_t)tv[0] * 1000000 + tv[1];
}

/* Ten readings, each between two system calls; tv_usec in range. */
static void test_timeval(void)
{
	long before[2], now[2], after[2];
	bool right = true;

	for (int i = 0; i < 10; i++) {
		raw_syscall(__NR_gettimeofday, (long)before, 0, 0);
		right &= !vdso.gettimeofday(now, NULL);
		raw_syscall(__NR_gettimeofday, (long)after, 0, 0);
		right &= is_between(CLOCK_REALTIME, 1000 * timeval_us(before),
				    1000 * timeval_us(now), 1000 * timeval_us(after));
		right &= now[1] >= 0 && now[1] < 1000000;
	}
	ok(right, "gettimeofday: between two system calls, microseconds in range");
}

/* With a zone that no machine has, so that it can't be right by chance. */
static void test_timezone(void)
{
	int kernel[2] = { 1, 1 }, image[2] = { 2, 2 }, both[2] = { 3, 3 };
	long tv[2];
	bool same;

	raw_syscall(__NR_gettimeofday, 0, (long)kernel, 0);
	same = !vdso.gettimeofday(NULL, image) && !memcmp(image, kernel, sizeof(image));
	same &= !vdso.gettimeofday(tv, both) && !memcmp(both, kernel, sizeof(both));
	ok(same, "gettimeofday: the kernel's time zone, with and without a time");

	vdso_update_timezone(vdso.page, -754, 7);
	/* The system call would give both. */
	same = !vdso.gettimeofday(under_test_serves(CLOCK_REALTIME) ? tv : NULL, both) &&
	       both[0] == -754 && both[1] == 7;
	ok(same, "gettimeofday: a change of the time zone is seen");
	under_test_update();
}

static bool writes_cleanly(bool with_tv, bool with_tz)
{
	const struct place *tv = &places(TIMEVAL_SIZE)[PLACES - 1];
	const struct place tz = { .at = tv->at + 128 };

	place_clear(tv);
	place_clear(&tz);
	return !vdso.gettimeofday(with_tv ? tv->at : NULL, with_tz ? tz.at : NULL) &&
	       place_is_untouched(tv, 0, 32) == !with_tv &&
	       place_is_untouched(&tz, 0, 32) == !with_tz &&
	       place_is_untouched(tv, TIMEVAL_SIZE, 32) &&
	       place_is_untouched(&tz, TIMEZONE_SIZE, 32);
}

static void test_gettimeofday(void)
{
	const size_t sizes[2] = { TIMEVAL_SIZE, TIMEZONE_SIZE };

	test_pairs("gettimeofday", as_any(vdso.gettimeofday), __NR_gettimeofday, sizes);
	test_timeval();
	test_timezone();
	ok(writes_cleanly(false, false) && writes_cleanly(true, false) &&
	   writes_cleanly(false, true) && writes_cleanly(true, true),
	   "gettimeofday: writes what was asked for and nothing else");
}

#ifdef __NR_time
static void test_time_pointers(void)
{
	const struct place *place = places(sizeof(long));
	int wrong = 0;

	for (int i = 0; i < PLACES; i++) {
		long at = (long)place[i].at, before = raw_syscall(__NR_time, at, 0, 0), after;
		struct outcome now;
		bool same;

		/* time() is as old as the page. */
		if (under_test_serves(CLOCK_REALTIME_COARSE))
			under_test_update();
		now = guarded_call(as_any(vdso.time), at, 0, 0);
		after = raw_syscall(__NR_time, at, 0, 0);
		same = now.fault ? before == -EFAULT : before <= now.ret && now.ret <= after;
		if (!same)
			diag("time(%s): %s%ld, the system call returns %ld", place[i].name,
			     now.fault ? "fault, not " : "", now.ret, after);
		wrong += !same;
	}
	ok(!wrong, "time: every pointer: the system call's results");
}

static void test_time(void)
{
	const struct place *place = &places(sizeof(long))[PLACES - 1];
	long stored, returned;

	test_time_pointers();
	place_clear(place);
	under_test_update();
	returned = vdso.time((long *)place->at);
	memcpy(&stored, place->at, sizeof(stored));
	ok(stored == returned && place_is_untouched(place, sizeof(long), 32),
	   "time: stores what it returns and nothing else");
}
#else
static void test_time_pointers(void)
{
}

static void test_time(void)
{
	ok(false, "time: exported by an ABI that has no such system call");
}
#endif

/* @wanted: the CPU that this thread is bound to. */
static bool cpu_is_right(unsigned int wanted)
{
	unsigned int kernel_node = ~0u, cpu = ~0u, node = ~0u, only_cpu = ~0u, only_node = ~0u;
	unsigned int kernel_cpu = ~0u;

	raw_syscall(__NR_getcpu, (long)&kernel_cpu, (long)&kernel_node, 0);
	if (!vdso.getcpu(&cpu, &node, NULL) && !vdso.getcpu(&only_cpu, NULL, NULL) &&
	    !vdso.getcpu(NULL, &only_node, NULL) && !vdso.getcpu(NULL, NULL, NULL) &&
	    cpu == wanted && only_cpu == wanted && kernel_cpu == wanted &&
	    node == kernel_node && only_node == kernel_node)
		return true;
	diag("getcpu on CPU %u: CPU %u or %u, node %u or %u; the system call says CPU %u, node %u",
	     wanted, cpu, only_cpu, node, only_node, kernel_cpu, kernel_node);
	return false;
}

/* Binds this thread to each CPU that it may use, in turn. */
static bool getcpu_on_each_cpu(int *cpus)
{
	cpu_set_t allowed, one;
	bool right = true;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	*cpus = 0;
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			continue;
		right &= cpu_is_right(cpu);
		++*cpus;
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
	return right;
}

/* The third argument has meant nothing since Linux 2.6.24. */
static void test_getcpu(void)
{
	const size_t sizes[2] = { sizeof(int), sizeof(int) };
	u32 mode = vdso.page->cpu_mode, arg = vdso.page->cpu_arg;
	unsigned int cpu, node;
	bool right;
	int cpus;

	test_pairs("getcpu", as_any(vdso.getcpu), __NR_getcpu, sizes);
	right = getcpu_on_each_cpu(&cpus);
	if (mode == VDSO_CPU_SYSCALL)
		tap_skip("getcpu: from the page",
			 "no instruction of this CPU told the system call's CPU number");
	else
		ok(cpus && right, "getcpu: right on each of %d CPUs, from the page", cpus);
	ok(!vdso.getcpu(&cpu, &node, places(4)[1].at), "getcpu: the third argument is not looked at");

	if (vdso.x32)
		return;
	vdso_set_cpu(vdso.page, VDSO_CPU_SYSCALL, 0);
	right = getcpu_on_each_cpu(&cpus);
	ok(cpus && right, "getcpu: right on each of %d CPUs, by system call", cpus);
	vdso_set_cpu(vdso.page, mode, arg);
}

/* Once from the page and once, with a page that serves nothing, from the system call. */
static void test_all(void)
{
	test_gettimeofday();
	if (vdso.time)
		test_time();
	if (vdso.getcpu)
		test_getcpu();
	if (vdso.x32)
		return;
	diag("and with a page that serves no clock:");
	vdso_stop(vdso.page);
	test_timeval();
	if (vdso.time)
		test_time_pointers();
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
