// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The hooks of this architecture that compute, on numbers of every kind that the contract
 * (include/vdso/hooks.h) allows, against exact arithmetic; and that none of them knows modes
 * that are not its own. The core's other tests run on the hooks of a simulated machine.
 *
 * An arch_vdso_scale() for 32-bit ARM that shifts the upper half one bit too short once passed
 * all tests: the emulator refuses the counter instruction, so none called it.
 */
#include <vdso/reader.h>
#include <vdso/update.h>

#include "../core/exact.h"
#include "bare.h"

#define ROUNDS	20000

/* The largest sum whose result fits an unsigned long. */
static u64 largest_sum(u32 shift)
{
	return sizeof(long) == 8 ? U64_MAX : (((u64)U32_MAX + 1) << shift) - 1;
}

static void test_scale(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		u32 shift = round & 31, mult = (u32)random_number(), delta = (u32)random_number();
		u64 most = largest_sum(shift), nsec, sum;
		unsigned long got;

		while ((u64)delta * mult > most)
			mult >>= 1;
		most -= (u64)delta * mult;
		nsec = random_number();
		if (nsec > most)
			nsec = round & 32 ? most : nsec & most >> 1;
		sum = exact_low(exact_shift_right(exact_mul_add(delta, mult, nsec), shift));
		got = arch_vdso_scale(delta, mult, nsec, shift);
		expect(got == sum, "arch_vdso_scale(delta, mult, nsec, shift), result, not:",
		       delta, mult, nsec, shift, got, sum);
	}
	conclude("arch_vdso_scale: (delta * mult + nsec) >> shift, every bit of it");
}

static void test_delta(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		u64 last = random_number(), cycles = random_number(), got;

		/* Often no further apart than counters are. */
		if (round & 1)
			cycles = last + (s64)(s32)random_number();
		got = vdso_cycles_value(arch_vdso_delta(vdso_cycles(cycles), &last));
		expect(got == cycles - last, "arch_vdso_delta(cycles, last), result:", cycles, last, got);
	}
	conclude("arch_vdso_delta: the difference, with every borrow");
}

static void test_counter_zero(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		u64 cycles = random_number();
		u64 got = arch_vdso_counter_zero(vdso_cycles(cycles));

		expect(!got, "arch_vdso_counter_zero(cycles), result:", cycles, got);
	}
	conclude("arch_vdso_counter_zero: 0");
}

/* A record as the writer makes it, for a base that takes few or many bits. */
static struct vdso_clock random_clock(void)
{
	static struct vdso_page page;
	struct vdso_timebase base = {
		.mode = VDSO_MODE_ARCH,
		.mult = (u32)random_number() | 1,
		.shift = random_upto(31),
		.res = 1,
		.cycle_last = random_number(),
		.mask = U64_MAX,
		.sec = 5000,
	};
	struct vdso_timekeeper tk;

	do
		base.nsec = random_number();
	while (base.nsec >= (u64)NSEC_PER_SEC << base.shift);
	tk = (struct vdso_timekeeper){ .real = base, .raw = base, .coarse_res = 1 };
	vdso_update(&page, &tk);
	return page.clock[CLOCK_REALTIME];
}

/* What a fast path makes of a counter value: nothing, or what is exact. */
static void test_fast_path(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct vdso_clock c = random_clock();
		u64 delta, exact;
		unsigned long nsec;
		bool served;

		/* Within the second, around its end, behind the base, anywhere. */
		delta = c.second_delta ? random_upto(c.second_delta) : 0;
		if (round % 4 == 1)
			delta = (u64)c.second_delta + random_upto(4) - 2;
		else if (round % 4 == 2)
			delta = random_number();
		served = vdso_cycles_to_nsec(&c, vdso_cycles(c.cycle_last + delta), &nsec);
		expect(served == (delta <= c.second_delta),
		       "delta and second_delta, whether it is served:", delta, c.second_delta, served);
		if (!served)
			continue;
		exact = exact_low(exact_shift_right(exact_mul_add(delta, c.mult, c.nsec), c.shift));
		expect(nsec == exact && nsec < NSEC_PER_SEC, "delta, mult, nsec, shift, result, not:",
		       delta, c.mult, c.nsec, c.shift, nsec, exact);
	}
	conclude("the fast path's nanoseconds are exact, and only those of the base's second");
}

/* No architecture has numbers up there; the core's own lie below, and OPEN is the last one. */
#define NO_MODE		(VDSO_MODE_ARCH + 8)

static u32 foreign_mode(int round)
{
	static const u32 core[] = {
		VDSO_MODE_SYSCALL, VDSO_MODE_COARSE, VDSO_MODE_TIMENS, VDSO_MODE_OPEN, NO_MODE,
	};
	u32 mode = (u32)random_number();

	return round < (int)ARRAY_SIZE(core) ? core[round] : mode < NO_MODE ? ~mode : mode;
}

static void test_modes(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		u32 mode = foreign_mode(round);
		struct vdso_cycles cycles = { 1, 2 };
		u64 complex = 3;

		expect(!arch_vdso_read_counter(mode, &cycles) &&
		       cycles.low == 1 && cycles.high == 2, "arch_vdso_read_counter() of mode", mode);
		/* Without pages, which it may not look at. */
		expect(arch_vdso_read_complex(mode, NULL, &complex) == VDSO_READ_SYSCALL &&
		       complex == 3, "arch_vdso_read_complex() of mode", mode);
	}
	conclude("nothing is read for modes that the architecture does not have");
}

static void test_getcpu(void)
{
	static struct vdso_page page;

	for (int round = 0; round < ROUNDS; round++) {
		u32 cpu = 1, node = 2;

		page.cpu_mode = foreign_mode(round);
		if (page.cpu_mode != VDSO_CPU_SYSCALL && page.cpu_mode < NO_MODE)
			continue;
		expect(!arch_vdso_getcpu(&page, &cpu, &node) && cpu == 1 && node == 2,
		       "arch_vdso_getcpu() with cpu_mode", page.cpu_mode);
	}
	conclude("arch_vdso_getcpu: nothing is read in ways that the architecture does not have");
}

void bare_test(void)
{
	test_scale();
	test_delta();
	test_counter_zero();
	test_fast_path();
	test_modes();
	test_getcpu();
}
