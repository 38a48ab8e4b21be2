// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Every clock says exactly what follows from the timekeeper's snapshot: any slope,
 * any counter width, any time, however far the counter is ahead of the base or
 * a little behind it.
 */
#include "core.h"
#include "model.h"

static struct vdso_timekeeper tk;

/* @time as the functions with a 32-bit time have to say it on a 32-bit ABI. */
static bool same_old(struct old_time got, struct model_time expected, u32 part)
{
	return got.sec == (__kernel_long_t)expected.sec && got.part == (__kernel_long_t)part;
}

static void check_clock(int id)
{
	struct model_time expected = model_read(&tk, NULL, id, sim.counter);
	struct old_time old = { UNTOUCHED, UNTOUCHED };
	unsigned long calls = sim.calls;

	if (expected.overflow)
		return;
	expect(!__vdso_clock_gettime(id, &old) && sim.calls - calls == !expected.served,
	       "clock %d: result or system call", id);
	if (!expected.served)
		return;
	expect(same_old(old, expected, expected.nsec),
	       "clock %d at counter %#llx: %lld.%09ld instead of %lld.%09u", id,
	       sim.counter, (long long)old.sec, (long)old.part, (long long)expected.sec,
	       expected.nsec);
	expect(old.part >= 0 && old.part < NSEC_PER_SEC, "clock %d: nanoseconds", id);
}

#ifdef __NR_clock_gettime64
static void check_clock64(int id)
{
	struct model_time expected = model_read(&tk, NULL, id, sim.counter);
	struct new_time got;

	if (!expected.served || expected.overflow)
		return;
	expect(!__vdso_clock_gettime64(id, &got) &&
	       got.sec == expected.sec && got.nsec == expected.nsec,
	       "clock %d at counter %#llx: %lld.%09lld instead of %lld.%09u", id,
	       sim.counter, (long long)got.sec, (long long)got.nsec,
	       (long long)expected.sec, expected.nsec);
}
#else
static void check_clock64(int id)
{
}
#endif

static void check_gettimeofday(void)
{
	struct model_time expected = model_read(&tk, NULL, CLOCK_REALTIME, sim.counter);
	struct old_time tv;
	s32 tz[2] = { 0 };

	if (expected.overflow)
		return;
	expect(!__vdso_gettimeofday(&tv.sec, NULL) &&
	       same_old(tv, expected, expected.nsec / 1000), "gettimeofday without zone");
	expect(!__vdso_gettimeofday(&tv.sec, tz) &&
	       same_old(tv, expected, expected.nsec / 1000) &&
	       tz[0] == tk.tz_minuteswest && tz[1] == tk.tz_dsttime, "gettimeofday with zone");
}

#ifdef __NR_time
static void check_time(void)
{
	struct model_time expected = model_read(&tk, NULL, CLOCK_REALTIME_COARSE, 0);
	__kernel_long_t sec = UNTOUCHED;

	expect(__vdso_time(&sec) == (__kernel_long_t)expected.sec &&
	       sec == (__kernel_long_t)expected.sec, "time");
	expect(__vdso_time(NULL) == (__kernel_long_t)expected.sec, "time(NULL)");
}
#else
static void check_time(void)
{
}
#endif

static void check_all(void)
{
	unsigned long calls;

	for (int id = 0; id < VDSO_CLOCKS; id++) {
		check_clock(id);
		check_clock64(id);
	}
	calls = sim.calls;
	check_gettimeofday();
	check_time();
	expect(sim.calls == calls, "gettimeofday or time made a system call");
}

/* Some base of the snapshot: the counter is moved to places that matter to it. */
static const struct vdso_timebase *random_base(void)
{
	u64 i = random_below(VDSO_AUX_CLOCKS + 2);

	return i == 0 ? &tk.real : i == 1 ? &tk.raw : &tk.aux[i - 2];
}

static void test_deltas(void)
{
	static const u64 deltas[] = {
		0, 1, 2, U32_MAX - 1, U32_MAX, 1ull << 32, (1ull << 32) + 1,
		1ull << 40, 3000000000ull * 86400 * 180 /* months of stall */,
	};

	for (int round = 0; round < rounds(2000); round++) {
		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		for (unsigned int i = 0; i < ARRAY_SIZE(deltas); i++) {
			const struct vdso_timebase *base = random_base();

			sim.counter = (base->cycle_last + deltas[i]) & base->mask;
			check_all();
		}
	}
	conclude("every clock is exact at deltas from 0 to months");
}

static void test_max_delta(void)
{
	for (int round = 0; round < rounds(5000); round++) {
		u32 id;

		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		id = round & 1 ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
		for (int i = -1; i <= 1; i++) {
			const struct vdso_clock *c = &vdso_pages->clock[id];

			sim.counter = (c->cycle_last + c->max_delta + (u64)i) & c->mask;
			check_all();
			sim.counter = (c->cycle_last + c->second_delta + (u64)i) & c->mask;
			check_all();
		}
	}
	conclude("every clock is exact where the fast path and the short arithmetic end");
}

static void test_random(void)
{
	for (int round = 0; round < rounds(10000); round++) {
		const struct vdso_timebase *base;

		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		base = random_base();
		sim.counter = (base->cycle_last + random_bits(63)) & base->mask;
		check_all();
	}
	conclude("every clock is exact at any delta");
}

static void test_behind(void)
{
	for (int round = 0; round < rounds(5000); round++) {
		struct model_time base;
		struct old_time got;

		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		sim.counter = (tk.real.cycle_last - 1 - random_bits(10)) & tk.real.mask;
		__vdso_clock_gettime(CLOCK_REALTIME, &got);
		base.sec = tk.real.sec;
		base.nsec = (u32)(tk.real.nsec >> tk.real.shift);
		expect(same_old(got, base, base.nsec), "behind by %llu cycles",
		       (tk.real.cycle_last - sim.counter) & tk.real.mask);
		check_all();
	}
	conclude("a counter behind the base gives the base itself");
}

/* Counters whose delta crosses the end of their range. */
static void test_wrap(void)
{
	for (u32 bits = 24; bits <= 64; bits++)
		for (int round = 0; round < rounds(100); round++) {
			random_timekeeper(&tk);
			tk.real.mask = ~0ull >> (64 - bits);
			tk.real.cycle_last = tk.real.mask - random_below(1000);
			vdso_update(vdso_pages, &tk);
			sim.counter = random_bits(bits - 1);
			if (((sim.counter - tk.real.cycle_last) & tk.real.mask) > sim.counter)
				check_all();
		}
	conclude("counters of 24 to 64 bits wrap");
}

/* A second, or many, may pass in the middle of any delta. */
static void test_carry(void)
{
	for (int round = 0; round < rounds(3000); round++) {
		u64 second, cycles;

		random_timekeeper(&tk);
		tk.real.nsec = (1000000000ull << tk.real.shift) - 1 - random_bits(10);
		tk.real.mask = ~0ull;
		vdso_update(vdso_pages, &tk);
		second = 1000000000ull << tk.real.shift;
		cycles = (second - tk.real.nsec) / tk.real.mult;
		for (int i = -2; i <= 2; i++) {
			sim.counter = tk.real.cycle_last + cycles + (u64)i;
			check_all();
		}
	}
	conclude("nanoseconds carry into the seconds exactly");
}

/* The counter goes on, the timekeeper follows, changes its slope: time never goes back. */
static void test_monotonic(void)
{
	static const int ids[] = {
		CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI,
	};
	struct model_time last[ARRAY_SIZE(ids)] = { { 0 } };

	random_timekeeper(&tk);
	tk.real.mask = tk.raw.mask = ~0ull;
	tk.real.cycle_last = tk.raw.cycle_last = 1000;
	tk.real.sec = tk.raw.sec = 1000;
	tk.real.shift = tk.raw.shift = 24;
	tk.real.nsec = tk.raw.nsec = 0;
	tk.real.mult = tk.raw.mult = 5592405;
	tk.wall_to_monotonic = tk.monotonic_to_boot = (struct vdso_offset){ .nsec = 999999999 };
	tk.tai_offset = 37;
	sim.counter = 1000;
	vdso_update(vdso_pages, &tk);
	for (int round = 0; round < rounds(300000); round++) {
		if (random_below(4) == 0) {
			sim.counter += 5;
			model_advance(&tk, sim.counter);
			tk.real.mult += (u32)random_below(2001) - 1000;
			vdso_update(vdso_pages, &tk);
			sim.counter -= random_below(5);	/* another CPU's, a little behind */
		}
		for (unsigned int i = 0; i < ARRAY_SIZE(ids); i++) {
			struct model_time now = { 0 };
			struct old_time got;

			__vdso_clock_gettime(ids[i], &got);
			now.sec = got.sec;
			now.nsec = (u32)got.part;
			expect(now.sec > last[i].sec ||
			       (now.sec == last[i].sec && now.nsec >= last[i].nsec),
			       "clock %d went back from %lld.%09u to %lld.%09u", ids[i],
			       last[i].sec, last[i].nsec, now.sec, now.nsec);
			last[i] = now;
		}
		sim.counter += random_bits(24);
	}
	conclude("no clock goes back while its base moves and its slope changes");
}

int main(void)
{
	random_seed();
	test_deltas();
	test_max_delta();
	test_random();
	test_behind();
	test_wrap();
	test_carry();
	test_monotonic();
	return tap_done();
}
