// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The exported counter calibration: for programs that turn raw counter values
 * into time themselves and would otherwise have to parse kernel pages.
 */
#include <vdso/mapping.h>
#include <vdso/seq.h>
#include <vdso/entry.h>
#include <linux/counter_calibration.h>

VDSO_ASSERT_OFFSET(struct counter_clock, cycle_last, 0);
VDSO_ASSERT_OFFSET(struct counter_clock, base_ns, 8);
VDSO_ASSERT_OFFSET(struct counter_clock, offset, 16);
VDSO_ASSERT_OFFSET(struct counter_clock, max_delta, 24);
VDSO_ASSERT_OFFSET(struct counter_clock, valid_cycles, 32);
VDSO_ASSERT_OFFSET(struct counter_clock, mult, 40);
VDSO_ASSERT_OFFSET(struct counter_clock, shift, 44);
VDSO_ASSERT_OFFSET(struct counter_clock, error_ns, 48);
VDSO_ASSERT_OFFSET(struct counter_calibration, mask, 8);
VDSO_ASSERT_OFFSET(struct counter_calibration, monotonic, 16);
VDSO_ASSERT_OFFSET(struct counter_calibration, raw, 72);
_Static_assert(sizeof(struct counter_calibration) == 128, "struct counter_calibration is ABI");

/*
 * NTP steers the frequency by at most 500 ppm to either side (MAXFREQ of the UAPI's
 * timex.h), so a snapshot's slope is off by at most 1000 ppm: 100 us after 100 ms.
 * (Who changes the length of the tick by ADJ_TICK may go beyond that.)
 * Much less than 100 ms would be over as soon as it is said: bases are as old as
 * the last tick, 10 ms or, on an idle machine, more.
 */
#define VDSO_STEERED_ERROR_NS	100000
#define VDSO_STEERED_VALID_MS	100

/*
 * Cycles that @mult surely takes without overflow of signed 64 bits, a fraction
 * of a ns (below 2^31) included; at least half of what would just fit. With n bits of
 * mult it is 2^(63-n), so the product stays 2^(63-n), at least 2^31, below 2^63.
 */
static __always_inline u64 vdso_convertible(u32 mult)
{
	u64 cycles = (u64)1 << 63;

	for (; mult; mult >>= 1)
		cycles >>= 1;
	return cycles;
}

/* @offset: the namespace's record, or @c itself. */
static __always_inline void vdso_convert(const struct vdso_clock *c,
					 const struct vdso_clock *offset,
					 struct counter_clock *clock)
{
	u64 nsec = c->nsec;
	u32 shift = c->shift & 31;

	clock->base_ns = (u64)c->sec * NSEC_PER_SEC + (nsec >> shift);
	if (offset != c)
		clock->base_ns += (u64)offset->sec * NSEC_PER_SEC + offset->nsec;
	clock->cycle_last = c->cycle_last;
	clock->mult = c->mult;
	/* Modulo 2^64, like the sum that it goes into. */
	clock->offset = (nsec & ~(~(u64)0 << shift)) - c->cycle_last * c->mult;
	clock->shift = shift;
	clock->max_delta = vdso_convertible(clock->mult);
	clock->valid_cycles = clock->max_delta;
	clock->error_ns = 1;
	clock->reserved = 0;
}

/*
 * One clock of the calibration, in the time of the caller's namespace, and the width of
 * its counter: that is of the same read, as the kernel may take another counter any time.
 */
static __always_inline int
vdso_calibrate(const struct vdso_clock *first, struct counter_clock *clock, u64 *mask)
{
	struct vdso_tries tries = { .left = VDSO_MAX_TRIES };
	const struct vdso_clock *c = vdso_real_clock(first);
	u32 mode;

	while (vdso_try_again(&tries, c)) {
		mode = READ_ONCE(c->mode);
		vdso_convert(c, first, clock);
		*mask = c->mask;
		if (mode != VDSO_MODE_OPEN && !vdso_seq_changed(c, tries.seq))
			return mode - VDSO_MODE_ARCH < ARCH_VDSO_PROGRAM_MODES ?
				0 : COUNTER_CALIBRATION_NO_COUNTER;
		arch_vdso_relax();
	}
	return COUNTER_CALIBRATION_BUSY;
}

#ifdef ARCH_VDSO_CALIBRATION_NAME
VDSO_ALIAS(globl, ARCH_VDSO_CALIBRATION_NAME, counter_calibration)
#endif

/*
 * If the result is not 0, @cal holds nothing of use. The frequency stays the same as
 * long as the kernel takes the same counter.
 */
VDSO_EXPORT_PLAIN(__cold int, counter_calibration, struct counter_calibration *cal)
{
	const struct vdso_clock *first = &vdso_mapping()->clock[CLOCK_MONOTONIC];
	struct counter_clock *clock = &cal->monotonic;
	int ret;

	cal->khz = vdso_real_page(vdso_mapping())->counter_khz;
	/* A loop: the code for one clock is there once, and without a call. */
	while (!(ret = vdso_calibrate(first, clock, &cal->mask)) && clock != &cal->raw) {
		first += CLOCK_MONOTONIC_RAW - CLOCK_MONOTONIC;
		clock = &cal->raw;
	}
	cal->counter = ret ? 0 : ARCH_VDSO_COUNTER;
	cal->monotonic.error_ns = VDSO_STEERED_ERROR_NS;
	cal->monotonic.valid_cycles = (u64)cal->khz * VDSO_STEERED_VALID_MS;
	return ret;
}
