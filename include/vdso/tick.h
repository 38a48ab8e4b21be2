/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The update at a tick: the times have moved on, and perhaps the steered slope by a
 * little; all else is as the last full update (lib/vdso/update.c) left it.
 *
 * Inline, for a kernel that wants to spare the way through memory: it builds a struct
 * vdso_timekeeper that never gets an address, and calls vdso_update() only if
 * vdso_tick() refuses.
 */
#ifndef VDSO_TICK_H
#define VDSO_TICK_H

#include <vdso/arith.h>
#include <vdso/seq.h>
#include <vdso/update.h>

/* page->ticks: the ALARM clocks' records tick with the others, or are not served. */
#define VDSO_TICKS		1u
#define VDSO_TICKS_ALARM	2u

/* @a << @shift, which is at most 31: see vdso_shr_long() for what knowing that spares. */
static __always_inline u64 vdso_shl(u32 a, u32 shift)
{
	return (u64)a << (sizeof(long) == 4 ? shift & 31 : shift);
}

/**
 * struct vdso_slope - what the short way of a record depends on
 * @second:	length of a second << shift
 * @log2_mult:	number of bits of mult, less one
 * @max_delta:	of the record
 */
struct vdso_slope {
	u64	second;
	u32	log2_mult;
	u32	max_delta;
};

static __always_inline struct vdso_slope vdso_slope(u32 mult, u64 second, u32 max_delta)
{
	return (struct vdso_slope){
		.second = second,
		.log2_mult = 31 - (u32)__builtin_clz(mult),
		.max_delta = max_delta,
	};
}

/**
 * struct vdso_base - a clock's base time
 * @sec:	seconds
 * @nsec:	ns << shift, below one second
 */
struct vdso_base {
	s64	sec;
	u64	nsec;
};

/* The base of the clock that is @offset ahead of that of @base. */
static __always_inline struct vdso_base
vdso_ahead(struct vdso_base base, const struct vdso_offset *offset, u32 shift, u64 second)
{
	base.sec += offset->sec;
	base.nsec += vdso_shl(offset->nsec, shift);
	if (base.nsec >= second) {
		base.nsec -= second;
		base.sec++;
	}
	return base;
}

/*
 * A delta for which the time stays below a second: with n bits of mult it is what is
 * left of the second, divided by 2^n. The reader has a way for what lies above, so
 * nothing is lost but a little time in the last ticks of a second, and no CPU has to
 * divide 64-bit numbers here.
 */
static __always_inline u32 vdso_second_delta(u64 nsec, const struct vdso_slope *slope)
{
	u64 left = (slope->second - 1 - nsec) >> 1;
	u64 delta = left >> (sizeof(long) == 4 ? slope->log2_mult & 31 : slope->log2_mult);

	return delta < slope->max_delta ? (u32)delta : slope->max_delta;
}

/* Whether all is as the last full update left it, but for times and the steered mult. */
static __always_inline bool
vdso_is_tick(const struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_clock *clock = page->clock;
	const struct vdso_timebase *real = &tk->real, *raw = &tk->raw;

	return page->ticks == (tk->alarm_clocks ? VDSO_TICKS_ALARM : VDSO_TICKS) &&
	       !tk->aux_enabled &&
	       clock[CLOCK_REALTIME].mode == real->mode && raw->mode == real->mode &&
	       clock[CLOCK_REALTIME].res == real->res && raw->res == real->res &&
	       clock[CLOCK_REALTIME_COARSE].res == tk->coarse_res;
}

/* The same for a counter that is in use: it is one for both timebases. */
static __always_inline bool
vdso_is_counter_tick(const struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_clock *clock = page->clock;
	const struct vdso_timebase *real = &tk->real, *raw = &tk->raw;

	return clock[CLOCK_REALTIME].mask == real->mask && raw->mask == real->mask &&
	       clock[CLOCK_REALTIME].shift == real->shift && raw->shift == real->shift &&
	       clock[CLOCK_MONOTONIC_RAW].mult == raw->mult && real->mult;
}

/* Everything is computed before: the record is open for these stores alone. */
static __always_inline void
vdso_tick_counter(struct vdso_clock *c, const struct vdso_timebase *now,
		  struct vdso_base base, u32 second_delta)
{
	u32 seq = vdso_seq_open(c);

	c->cycle_last = now->cycle_last;
	c->mult = now->mult;
	c->sec = base.sec;
	c->nsec = base.nsec;
	c->second_delta = second_delta;
	vdso_seq_close(c, seq, now->mode);
}

static __always_inline void
vdso_tick_coarse(struct vdso_clock *c, struct vdso_base base, u32 shift)
{
	u64 nsec = vdso_shr_long(base.nsec, shift);
	u32 seq = vdso_seq_open(c);

	c->sec = base.sec;
	c->nsec = nsec;
	vdso_seq_close(c, seq, VDSO_MODE_COARSE);
}

/* The clocks on the counter; false, and nothing done, if that takes a full update. */
static __always_inline bool
vdso_tick_counters(struct vdso_page *page, const struct vdso_timekeeper *tk,
		   struct vdso_base real, struct vdso_base mono, u64 second)
{
	struct vdso_clock *clock = page->clock;
	const struct vdso_base raw = { .sec = tk->raw.sec, .nsec = tk->raw.nsec };
	struct vdso_base boot, tai = { .sec = real.sec + tk->tai_offset, .nsec = real.nsec };
	u32 max_delta = (u32)clock[CLOCK_REALTIME].max_delta;
	struct vdso_slope slope;
	u32 delta;

	if (unlikely(!vdso_is_counter_tick(page, tk) || raw.nsec >= second))
		return false;

	slope = vdso_slope(tk->raw.mult, second, max_delta);
	vdso_tick_counter(&clock[CLOCK_MONOTONIC_RAW], &tk->raw, raw,
			  vdso_second_delta(raw.nsec, &slope));

	slope = vdso_slope(tk->real.mult, second, max_delta);
	delta = vdso_second_delta(real.nsec, &slope);
	vdso_tick_counter(&clock[CLOCK_REALTIME], &tk->real, real, delta);
	vdso_tick_counter(&clock[CLOCK_TAI], &tk->real, tai, delta);
	if (tk->alarm_clocks)
		vdso_tick_counter(&clock[CLOCK_REALTIME_ALARM], &tk->real, real, delta);

	delta = vdso_second_delta(mono.nsec, &slope);
	vdso_tick_counter(&clock[CLOCK_MONOTONIC], &tk->real, mono, delta);

	boot = vdso_ahead(mono, &tk->monotonic_to_boot, tk->real.shift, second);
	delta = vdso_second_delta(boot.nsec, &slope);
	vdso_tick_counter(&clock[CLOCK_BOOTTIME], &tk->real, boot, delta);
	if (tk->alarm_clocks)
		vdso_tick_counter(&clock[CLOCK_BOOTTIME_ALARM], &tk->real, boot, delta);
	return true;
}

/**
 * vdso_tick() - an update that is a tick
 * @page:	the data page
 * @tk:		what the timekeeper says now
 *
 * The time zone and @tk->counter_khz are not looked at.
 *
 * Return: false, and nothing done, if something else than the times and the steered
 * mult has changed, or auxiliary clocks are served: vdso_update() has to be called.
 */
static __always_inline bool
vdso_tick(struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	struct vdso_base real = { .sec = tk->real.sec, .nsec = tk->real.nsec };
	struct vdso_base mono;
	u64 second;

	if (unlikely(!vdso_is_tick(page, tk) || tk->real.shift > 31))
		return false;
	second = vdso_shl(NSEC_PER_SEC, tk->real.shift);
	if (unlikely(real.nsec >= second))
		return false;
	mono = vdso_ahead(real, &tk->wall_to_monotonic, tk->real.shift, second);
	if (tk->real.mode != VDSO_MODE_SYSCALL &&
	    unlikely(!vdso_tick_counters(page, tk, real, mono, second)))
		return false;
	vdso_tick_coarse(&page->clock[CLOCK_REALTIME_COARSE], real, tk->real.shift);
	vdso_tick_coarse(&page->clock[CLOCK_MONOTONIC_COARSE], mono, tk->real.shift);
	return true;
}

#endif /* VDSO_TICK_H */
