// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <limits.h>
#include <string.h>
#include <vdso/hooks.h>
#include "exact.h"
#include "model.h"
#include "property.h"

bool model_base_valid(const struct vdso_timebase *base)
{
	return base->shift < 32 && (base->nsec >> base->shift) < 1000000000;
}

bool model_counter_valid(const struct vdso_timebase *base)
{
	bool mask = base->mask && (base->mask & (base->mask + 1)) == 0;

	return model_base_valid(base) && base->mode >= 3 && base->mult && mask;
}

/* The base that a high-resolution clock runs on, NULL if it has none. */
static const struct vdso_timebase *model_base(const struct vdso_timekeeper *tk, int id)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		return &tk->real;
	case CLOCK_MONOTONIC_RAW:
		return &tk->raw;
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
		return tk->alarm_clocks ? &tk->real : NULL;
	}
	if (id >= 16 && id < 24 && tk->aux_enabled >> (id - 16) & 1)
		return &tk->aux[id - 16];
	return NULL;
}

static void model_add(struct model_time *time, s64 sec, u64 nsec)
{
	nsec += time->nsec;
	time->overflow |= __builtin_add_overflow(time->sec, sec, &time->sec);
	time->overflow |= __builtin_add_overflow(time->sec, (s64)(nsec / 1000000000), &time->sec);
	time->nsec = (u32)(nsec % 1000000000);
}

/* How far @id is ahead of the base it runs on. */
static void model_add_offsets(struct model_time *time, const struct vdso_timekeeper *tk,
			      const struct model_namespace *ns, int id)
{
	bool boot = id == CLOCK_BOOTTIME || id == CLOCK_BOOTTIME_ALARM;
	bool mono = id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE;

	if (mono || boot)
		model_add(time, tk->wall_to_monotonic.sec, tk->wall_to_monotonic.nsec);
	if (boot)
		model_add(time, tk->monotonic_to_boot.sec, tk->monotonic_to_boot.nsec);
	if (id == CLOCK_TAI)
		model_add(time, tk->tai_offset, 0);
	if (ns && (mono || id == CLOCK_MONOTONIC_RAW))
		model_add(time, ns->monotonic.sec, ns->monotonic.nsec);
	if (ns && boot)
		model_add(time, ns->boottime.sec, ns->boottime.nsec);
}

/* Cycles since the base; a counter in the half of its range that is behind has not moved. */
static u64 model_delta(const struct vdso_timebase *base, u64 cycles)
{
	u64 delta = (cycles - base->cycle_last) & base->mask;

	return delta > base->mask / 2 ? 0 : delta;
}

static struct model_time model_base_time(const struct vdso_timebase *base, u64 delta)
{
	struct exact ns = exact_shift_right(exact_mul_add(delta, base->mult, base->nsec),
					    base->shift);
	struct model_time time = { .served = true };
	u64 sec;

	sec = exact_low(exact_divide(ns, 1000000000, &time.nsec));
	time.overflow = sec > LLONG_MAX || __builtin_add_overflow(base->sec, (s64)sec, &time.sec);
	return time;
}

struct model_time model_read(const struct vdso_timekeeper *tk, const struct model_namespace *ns,
			     int id, u64 cycles)
{
	bool coarse = id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
	const struct vdso_timebase *base = coarse ? &tk->real : model_base(tk, id);
	struct model_time time = { .served = false };

	if (!base || !(coarse ? model_base_valid(base) : model_counter_valid(base)))
		return time;
	time = model_base_time(base, coarse ? 0 : model_delta(base, cycles));
	model_add_offsets(&time, tk, ns, id);
	return time;
}

u32 model_res(const struct vdso_timekeeper *tk, int id)
{
	const struct vdso_timebase *base = model_base(tk, id);

	if (id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE)
		return tk->coarse_res;
	return base ? base->res : 0;
}

static void model_advance_base(struct vdso_timebase *base, u64 cycles)
{
	struct exact shifted = exact_mul_add(model_delta(base, cycles), base->mult, base->nsec);
	u64 fraction = exact_low(shifted) & ((1ull << base->shift) - 1);
	struct exact ns = exact_shift_right(shifted, base->shift);
	u32 rest;

	base->sec += (s64)exact_low(exact_divide(ns, 1000000000, &rest));
	base->nsec = (u64)rest << base->shift | fraction;
	base->cycle_last = cycles & base->mask;
}

void model_advance(struct vdso_timekeeper *tk, u64 cycles)
{
	model_advance_base(&tk->real, cycles);
	model_advance_base(&tk->raw, cycles);
	for (int i = 0; i < VDSO_AUX_CLOCKS; i++)
		model_advance_base(&tk->aux[i], cycles);
}

/* Today, before 1970, beyond 2^32 and near both ends of 64 bits. */
static s64 random_seconds(void)
{
	s64 small = (s64)random_bits(40);

	switch (random_below(6)) {
	case 0:
		return 1700000000 + small % 1000000000;
	case 1:
		return -small;
	case 2:
		return ((s64)1 << 32) + small;
	case 3:
		return LLONG_MAX - ((s64)1 << 50) + small;
	case 4:
		return LLONG_MIN + ((s64)1 << 50) + small;
	}
	return small;
}

/* 0 to just below @second, both ends included often. */
static u64 random_part(u64 second)
{
	switch (random_below(4)) {
	case 0:
		return random_bits(20) % second;
	case 1:
		return second - 1 - random_bits(20) % second;
	}
	return random_below(second);
}

static u64 random_cycle_last(u64 mask)
{
	switch (random_below(4)) {
	case 0:
		return mask - (random_bits(32) & mask);
	case 1:
		return random_bits(64) & mask;
	}
	return random_u64() & mask;
}

static void random_timebase(struct vdso_timebase *base)
{
	u32 bits = random_below(2) ? 64 : 24 + (u32)random_below(41);

	*base = (struct vdso_timebase){
		.mode = VDSO_MODE_ARCH,
		.mult = random_below(8) ? (u32)random_bits(32) | 1 : U32_MAX,
		.shift = (u32)random_below(32),
		.res = (u32)random_below(10000000),
		.mask = ~0ull >> (64 - bits),
		.sec = random_seconds(),
	};
	base->cycle_last = random_cycle_last(base->mask);
	base->nsec = random_part(1000000000ull << base->shift);
}

struct vdso_offset random_offset(void)
{
	s64 sec = (s64)random_bits(40);

	return (struct vdso_offset){
		.sec = random_below(2) ? sec : -sec,
		.nsec = (u32)random_part(1000000000),
	};
}

void random_timekeeper(struct vdso_timekeeper *tk)
{
	memset(tk, 0, sizeof(*tk));
	random_timebase(&tk->real);
	random_timebase(&tk->raw);
	for (int i = 0; i < VDSO_AUX_CLOCKS; i++)
		random_timebase(&tk->aux[i]);
	tk->wall_to_monotonic = random_offset();
	tk->monotonic_to_boot = random_offset();
	tk->tai_offset = (s32)random_u64();
	tk->coarse_res = (u32)random_below(20000000);
	tk->counter_khz = (u32)random_bits(32);
	tk->alarm_clocks = random_below(2);
	tk->aux_enabled = (u8)random_u64();
	tk->tz_minuteswest = (s32)random_u64();
	tk->tz_dsttime = (s32)random_u64();
}

void random_kernel(struct vdso_timekeeper *tk)
{
	u32 shift = 1 + (u32)random_below(28);
	u32 bits = shift + 1 + (u32)random_below(31 - shift);

	random_timekeeper(tk);
	tk->aux_enabled = 0;
	tk->real.mask = ~0ull >> random_below(9);
	tk->real.shift = shift;
	tk->real.mult = 1u << (bits - 1) | ((u32)random_u64() >> (33 - bits));
	tk->real.nsec = random_part(1000000000ull << shift);
	tk->raw.mask = tk->real.mask;
	tk->raw.shift = shift;
	tk->raw.mult = tk->real.mult ^ 1;
	tk->raw.nsec = random_part(1000000000ull << shift);
	tk->raw.res = tk->real.res;
	tk->raw.sec = random_seconds();
}

/* Not by so much that it gets another number of bits. */
static u32 random_neighbour(u32 mult)
{
	u32 other = mult + (u32)random_below(3) - 1;

	return other && __builtin_clz(other) == __builtin_clz(mult) ? other : mult;
}

void random_tick(struct vdso_timekeeper *tk)
{
	tk->real.cycle_last = random_cycle_last(tk->real.mask);
	tk->real.sec = random_seconds();
	tk->real.nsec = random_part(1000000000ull << tk->real.shift);
	tk->raw.cycle_last = random_cycle_last(tk->raw.mask);
	tk->raw.sec = random_seconds();
	tk->raw.nsec = random_part(1000000000ull << tk->raw.shift);
	tk->real.mult = random_neighbour(tk->real.mult);
	if (random_below(4))
		return;
	tk->wall_to_monotonic = random_offset();
	tk->monotonic_to_boot = random_offset();
	tk->tai_offset = (s32)random_u64();
	tk->tz_minuteswest = (s32)random_u64();
	tk->tz_dsttime = (s32)random_u64();
	tk->counter_khz = (u32)random_bits(32);
}
