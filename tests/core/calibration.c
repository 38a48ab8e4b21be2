// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The counter calibration: what a program computes from it is what the clocks say.
 */
#include "core.h"
#include "exact.h"
#include "model.h"

static struct vdso_timekeeper tk;
static struct counter_calibration cal;

/* A counter of 64 bits: those of fewer have to be unwrapped. */
static void random_snapshot(void)
{
	random_timekeeper(&tk);
	tk.real.mask = tk.raw.mask = ~0ull;
	vdso_update(vdso_pages, &tk);
}

static u64 model_ns(const struct model_namespace *ns, int id, u64 cycles)
{
	struct model_time time = model_read(&tk, ns, id, cycles);

	return (u64)time.sec * 1000000000 + time.nsec;
}

static void check_forward(const struct counter_clock *clock, const struct model_namespace *ns,
			  int id, u64 delta)
{
	u64 cycles = clock->cycle_last + delta;
	u64 got = counter_clock_ns(clock, cycles);

	expect(got == model_ns(ns, id, cycles), "clock %d after %llu cycles: %llu, not %llu", id,
	       delta, got, model_ns(ns, id, cycles));
}

static void check_both(const struct model_namespace *ns)
{
	check_forward(&cal.raw, ns, CLOCK_MONOTONIC_RAW, 0);
	check_forward(&cal.raw, ns, CLOCK_MONOTONIC_RAW, random_below(cal.raw.max_delta + 1));
	check_forward(&cal.raw, ns, CLOCK_MONOTONIC_RAW, cal.raw.max_delta);
	check_forward(&cal.monotonic, ns, CLOCK_MONOTONIC, 0);
	check_forward(&cal.monotonic, ns, CLOCK_MONOTONIC,
		      random_below(cal.monotonic.max_delta + 1));
	check_forward(&cal.monotonic, ns, CLOCK_MONOTONIC, cal.monotonic.max_delta);
}

static void test_values(void)
{
	for (int round = 0; round < rounds(20000); round++) {
		random_snapshot();
		expect(!__vdso_counter_calibration(&cal), "result");
		check_both(NULL);
	}
	conclude("values converted by the program are those of the clocks, up to max_delta");
}

static void test_constants(void)
{
	for (int round = 0; round < rounds(1000); round++) {
		random_snapshot();
		memset(&cal, UNTOUCHED, sizeof(cal));
		__vdso_counter_calibration(&cal);
		expect(cal.counter == COUNTER_SIM && cal.khz == tk.counter_khz, "counter");
		expect(cal.mask == tk.real.mask, "mask");
		expect(!cal.raw.reserved && !cal.monotonic.reserved, "reserved fields");
		expect(cal.raw.mult == tk.raw.mult && cal.raw.shift == tk.raw.shift &&
		       cal.raw.cycle_last == tk.raw.cycle_last, "raw");
		expect(cal.raw.error_ns <= 1 && cal.raw.valid_cycles == cal.raw.max_delta,
		       "raw keeps its slope");
	}
	conclude("counter, frequency and slopes are the timekeeper's");
}

/* What lies below one ns at cycle_last: the formula's remainder there. */
static u64 base_frac(const struct counter_clock *clock)
{
	return clock->cycle_last * clock->mult + clock->offset;
}

/* floor((frac - delta * mult) / 2^shift), exactly */
static u64 backward(const struct counter_clock *clock, u64 delta)
{
	u64 roundup = (1ull << clock->shift) - 1;
	u64 product = exact_low(exact_mul_add(delta, clock->mult, roundup));

	return clock->base_ns - ((product - base_frac(clock)) >> clock->shift);
}

static void test_backward(void)
{
	for (int round = 0; round < rounds(20000); round++) {
		const struct counter_clock *clock = round & 1 ? &cal.raw : &cal.monotonic;
		u64 delta;

		random_snapshot();
		__vdso_counter_calibration(&cal);
		delta = random_below(8) ? random_below(clock->max_delta + 1) : clock->max_delta;
		if (exact_low(exact_mul_add(delta, clock->mult, 0)) < base_frac(clock))
			continue;
		expect(counter_clock_ns(clock, clock->cycle_last - delta) ==
		       backward(clock, delta), "%llu cycles before, mult %u, shift %u", delta,
		       clock->mult, clock->shift);
	}
	conclude("counter values from before the snapshot convert too");
}

/* The last values before the wrap and the first after it, from a base on either side. */
static void test_wrap(void)
{
	for (int round = 0; round < rounds(20000); round++) {
		const struct counter_clock *clock = &cal.raw;
		u64 most, delta, cycles;

		random_timekeeper(&tk);
		tk.real.mask = tk.raw.mask = ~0ull >> random_below(9);
		tk.raw.cycle_last = (0 - random_below(1000)) & tk.raw.mask;
		vdso_update(vdso_pages, &tk);
		__vdso_counter_calibration(&cal);
		most = clock->max_delta < cal.mask >> 1 ? clock->max_delta : cal.mask >> 1;
		delta = round & 1 ? random_below(2000) : random_below(most + 1);
		if (delta > most)
			continue;
		cycles = (clock->cycle_last + delta) & cal.mask;
		expect(counter_clock_ns(clock, counter_unwrap(&cal, clock, cycles)) ==
		       model_ns(NULL, CLOCK_MONOTONIC_RAW, cycles),
		       "%llu cycles after, mask %llx", delta, cal.mask);
		cycles = (clock->cycle_last - delta) & cal.mask;
		expect(counter_unwrap(&cal, clock, cycles) == clock->cycle_last - delta,
		       "%llu cycles before, mask %llx", delta, cal.mask);
	}
	conclude("values of a counter that wraps convert once they are unwrapped");
}

static void test_max_delta(void)
{
	for (int round = 0; round < rounds(20000); round++) {
		struct exact most;

		random_snapshot();
		__vdso_counter_calibration(&cal);
		most = exact_mul_add(cal.raw.max_delta, cal.raw.mult, base_frac(&cal.raw));
		expect(!exact_high(most) && !(exact_low(most) >> 63), "overflow, mult %u",
		       cal.raw.mult);
		expect(exact_low(most) >> 62, "less than half of what fits, mult %u",
		       cal.raw.mult);
	}
	conclude("max_delta fits signed 64-bit arithmetic, with less than a factor of two to spare");
}

/* 3 GHz with 24 bits of fraction; @ppm: what NTP makes of it. */
#define NOMINAL_MULT	5592405
static u32 steered_mult(int ppm)
{
	return (u32)(NOMINAL_MULT + (s64)NOMINAL_MULT * ppm / 1000000);
}

/* From one end of what NTP may do to the other, right at the base. */
static void check_error(int from_ppm, int to_ppm, u64 delta)
{
	u64 cycles, got;
	s64 error;

	tk.real.mult = steered_mult(from_ppm);
	vdso_update(vdso_pages, &tk);
	__vdso_counter_calibration(&cal);
	tk.real.mult = steered_mult(to_ppm);
	cycles = cal.monotonic.cycle_last + delta;
	got = counter_clock_ns(&cal.monotonic, cycles);
	error = (s64)(got - model_ns(NULL, CLOCK_MONOTONIC, cycles));
	expect(error <= (s64)cal.monotonic.error_ns && -error <= (s64)cal.monotonic.error_ns,
	       "error of %lld ns after %llu cycles, %u stated", error, delta,
	       cal.monotonic.error_ns);
}

static void test_stated_error(void)
{
	random_snapshot();
	tk.counter_khz = 3000000;
	tk.real.shift = 24;
	tk.real.nsec = 0;
	vdso_update(vdso_pages, &tk);
	__vdso_counter_calibration(&cal);
	expect(cal.monotonic.valid_cycles && cal.monotonic.error_ns, "something is stated");
	for (int round = 0; round < rounds(10000); round++) {
		u64 delta = random_below(cal.monotonic.valid_cycles + 1);

		check_error(-500, 500, round ? delta : cal.monotonic.valid_cycles);
		check_error(500, -500, delta);
		check_error((int)random_below(1001) - 500, (int)random_below(1001) - 500, delta);
	}
	conclude("within valid_cycles the error is as stated, whatever NTP does");
}

static void test_namespace(void)
{
	for (int round = 0; round < rounds(2000); round++) {
		struct model_namespace ns = {
			.monotonic = random_offset(), .boottime = random_offset(),
		};

		random_timekeeper(&tk);
		tk.real.mask = tk.raw.mask = ~0ull;
		clear_pages();
		vdso_fill_timens(vdso_pages, second_page(), &ns.monotonic, &ns.boottime);
		vdso_update(second_page(), &tk);
		expect(!__vdso_counter_calibration(&cal), "result");
		check_both(&ns);
	}
	clear_pages();
	conclude("in a time namespace the calibration has its offsets");
}

static void expect_refusal(int result, const char *when)
{
	expect(__vdso_counter_calibration(&cal) == result, "%s", when);
	expect(!cal.counter, "%s: a counter is named", when);
}

static void test_refusals(void)
{
	clear_pages();
	expect_refusal(COUNTER_CALIBRATION_NO_COUNTER, "empty page");
	random_snapshot();
	tk.real.mode = VDSO_MODE_SIM_COMPLEX;
	vdso_update(vdso_pages, &tk);
	expect_refusal(COUNTER_CALIBRATION_NO_COUNTER, "a counter that programs can't read");
	tk.real.mode = VDSO_MODE_ARCH + 100;
	vdso_update(vdso_pages, &tk);
	expect_refusal(COUNTER_CALIBRATION_NO_COUNTER, "a mode of a later version");
	tk.real.mode = VDSO_MODE_SYSCALL;
	vdso_update(vdso_pages, &tk);
	expect_refusal(COUNTER_CALIBRATION_NO_COUNTER, "no counter");
	random_snapshot();
	tk.raw.mode = VDSO_MODE_SYSCALL;
	vdso_update(vdso_pages, &tk);
	expect_refusal(COUNTER_CALIBRATION_NO_COUNTER, "no counter for RAW");
	random_snapshot();
	vdso_seq_open(&vdso_pages->clock[CLOCK_MONOTONIC]);
	expect_refusal(COUNTER_CALIBRATION_BUSY, "open record of MONOTONIC");
	random_snapshot();
	vdso_seq_open(&vdso_pages->clock[CLOCK_MONOTONIC_RAW]);
	expect_refusal(COUNTER_CALIBRATION_BUSY, "open record of RAW");
	vdso_stop(vdso_pages);
	expect_refusal(COUNTER_CALIBRATION_NO_COUNTER, "stopped page");
	expect(!strstr(counter_calibration_error(COUNTER_CALIBRATION_BUSY), "unknown") &&
	       !strstr(counter_calibration_error(COUNTER_CALIBRATION_NO_COUNTER), "unknown"),
	       "each result has its sentence");
	conclude("no calibration without a readable counter or from an open record, and the reason");
}

static struct vdso_timekeeper next_tk;
static unsigned int events, act_at;

static void update_once(enum sim_event event)
{
	if (events++ != act_at)
		return;
	sim.at = NULL;
	vdso_update(vdso_pages, &next_tk);
}

static bool is_of(const struct counter_clock *clock, const struct vdso_timebase *base)
{
	return clock->cycle_last == base->cycle_last && clock->mult == base->mult &&
	       clock->shift == base->shift;
}

static void check_snapshot(const struct counter_clock *clock, int id,
			   const struct vdso_timekeeper *old, bool is_old, bool is_new)
{
	expect(is_old || is_new, "clock %d is of two snapshots", id);
	tk = is_old ? *old : next_tk;
	check_forward(clock, NULL, id, 0);
}

static void test_update_meanwhile(void)
{
	for (int round = 0; round < rounds(5000); round++) {
		struct vdso_timekeeper old;

		random_timekeeper(&next_tk);
		random_snapshot();
		old = tk;
		events = 0;
		act_at = (unsigned int)random_below(5);
		sim.at = update_once;
		expect(!__vdso_counter_calibration(&cal), "result");
		sim.at = NULL;
		check_snapshot(&cal.raw, CLOCK_MONOTONIC_RAW, &old,
			       is_of(&cal.raw, &old.raw), is_of(&cal.raw, &next_tk.raw));
		check_snapshot(&cal.monotonic, CLOCK_MONOTONIC, &old,
			       is_of(&cal.monotonic, &old.real),
			       is_of(&cal.monotonic, &next_tk.real));
	}
	conclude("an update meanwhile: each clock is of one snapshot");
}

int main(void)
{
	random_seed();
	test_values();
	test_constants();
	test_backward();
	test_wrap();
	test_max_delta();
	test_stated_error();
	test_namespace();
	test_refusals();
	test_update_meanwhile();
	return tap_done();
}
