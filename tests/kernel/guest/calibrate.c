// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The counter calibration: with it, a program turns a counter value into the time that
 * the kernel would have told then, to the stated error. Where the clock source is no
 * counter that programs can read, the function says so.
 */
#include <linux/counter_calibration.h>

#include "../../lib/tap.h"
#include "guest.h"

/* Read by the test itself, ordered, so that the value belongs between two system calls. */
static uint64_t read_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return counter_read_ordered();
#elif defined(__aarch64__)
	uint64_t value;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(value) :: "memory");
	return value;
#else
	uint64_t value;

	__asm__ __volatile__("isb\n\tmrrc p15, 1, %Q0, %R0, c14\n\tisb" : "=r"(value) :: "memory");
	return value;
#endif
}

#if defined(__x86_64__) || defined(__i386__)
#define THIS_COUNTER	COUNTER_TSC
#else
#define THIS_COUNTER	COUNTER_CNTVCT
#endif

static bool is_right(clockid_t id, const struct counter_clock *clock)
{
	const struct clock_pair *wide = &vdso.pairs[CLOCK_PAIRS - 1];
	int64_t before = syscall_ns(wide, id);
	uint64_t cycles = read_counter();
	int64_t after = syscall_ns(wide, id), now = (int64_t)counter_clock_ns(clock, cycles);

	/* The guest may have stood still for so long that the snapshot is too old. */
	if (cycles > clock->cycle_last && cycles - clock->cycle_last > clock->valid_cycles)
		return true;
	if (before - clock->error_ns <= now && now <= after + clock->error_ns)
		return true;
	diag("clock %d: %lld ns, not between %lld and %lld, error %u", id, (long long)now,
	     (long long)before, (long long)after, clock->error_ns);
	return false;
}

static void test_times(void)
{
	double end = now_seconds() + machine.seconds;
	struct counter_calibration c;
	unsigned long readings = 0, wrong = 0;

	while (now_seconds() < end && wrong < 10) {
		int ret = vdso.calibration(&c);

		if (ret == COUNTER_CALIBRATION_BUSY)
			continue;
		wrong += ret || c.counter != THIS_COUNTER || !c.khz ||
			 !is_right(CLOCK_MONOTONIC, &c.monotonic) ||
			 !is_right(CLOCK_MONOTONIC_RAW, &c.raw);
		readings++;
	}
	ok(readings > 10 && !wrong, "%lu calibrations tell CLOCK_MONOTONIC and RAW from the counter",
	   readings);
	if (wrong)
		diag("counter %u, %u kHz", c.counter, c.khz);
}

int main(int argc, char **argv)
{
	struct counter_calibration c;
	int ret;

	guest_open(argc, argv);
	if (!ok(vdso.calibration, "the calibration is exported"))
		return tap_done();
	ret = vdso.calibration(&c);
	if (machine.counter) {
		test_times();
	} else if (!ok(ret == COUNTER_CALIBRATION_NO_COUNTER, "no counter that programs can read")) {
		diag("it returned %d: %s", ret, counter_calibration_error(ret));
	}
	return tap_done();
}
