/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The update at a tick: the times have moved on, and perhaps the steered slope by a
 * little; all else is as the last full update (lib/vdso/update.c) left it.
 *
 * Inline and in three parts, for a kernel that wants to spare the way through a struct
 * vdso_timekeeper: each value goes from where the timekeeper has it straight into the
 * page, and none is held in a register for longer than needed.
 */
#ifndef VDSO_TICK_H
#define VDSO_TICK_H

#include <vdso/seq.h>
#include <vdso/update.h>

/* page->ticks: the records tick, those of the ALARM clocks as well or not. */
#define VDSO_TICKS		1u
#define VDSO_TICKS_ALARM	2u

/*
 * Shifts by 1 to 31, by 0 as well where a register holds 64 bits: knowing that spares a
 * 32-bit CPU half of the work. The right one is for results that fit 32 bits.
 */
static __always_inline bool vdso_can_shift(u32 shift)
{
	return shift <= 31 && (sizeof(long) == 8 || shift);
}

static __always_inline u64 vdso_shl(u32 a, u32 shift)
{
	if (sizeof(long) == 8)
		return (u64)a << shift;
	return (u64)(a >> (32 - shift)) << 32 | a << shift;
}

static __always_inline unsigned long vdso_shr(u64 a, u32 shift)
{
	if (sizeof(long) == 8)
		return (unsigned long)(a >> shift);
	return (unsigned long)(a >> 32) << (32 - shift) | (u32)a >> shift;
}

/* Of @a that is not 0. An xor, for it is half of what x86 makes of __builtin_clz(). */
static __always_inline u32 vdso_bits(u32 a)
{
	return (31 ^ (u32)__builtin_clz(a)) + 1;
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

/* The base of the clock that is @sec and @nsec ahead. @last: a second << shift, less one */
static __always_inline struct vdso_base
vdso_ahead(struct vdso_base base, s64 sec, u64 nsec, u64 last)
{
	base.sec += sec;
	base.nsec += nsec;
	if (base.nsec > last) {
		base.nsec -= last + 1;
		base.sec++;
	}
	return base;
}

/**
 * struct vdso_tick - what the first part of a tick leaves to the others
 * @page:	the data page
 * @update:	number of the update
 * @steered:	of all clocks steered by NTP: CLOCK_REALTIME's
 * @last:	what a second << shift has, less one
 */
struct vdso_tick {
	struct vdso_page	*page;
	struct vdso_timebase	steered;
	u64			last;
	u32			update;
};

/*
 * Everything is computed before: the record is open for these stores alone. If mult has
 * n bits at most, what is left of the second divided by 2^n is a delta for which the time
 * stays below it. At a tick it never is above max_delta.
 */
static __always_inline void
vdso_tick_counter(const struct vdso_tick *tick, u32 id, const struct vdso_timebase *now,
		  struct vdso_base base, u32 bits)
{
	struct vdso_clock *c = &tick->page->clock[id];
	u32 second_delta = (u32)vdso_shr(tick->last - base.nsec, bits);
	u64 cycle_last = now->cycle_last;
	u32 mult = now->mult;

	vdso_seq_open_for(c, tick->update);
	c->cycle_last = cycle_last;
	if (id != CLOCK_MONOTONIC_RAW)
		c->mult = mult;
	c->sec = base.sec;
	c->nsec = base.nsec;
	c->second_delta = second_delta;
	vdso_seq_close_same(c, tick->update, tick->steered.mode);
}

/* Plain nanoseconds: the upper half is 0 since the last full update, and stays so. */
static __always_inline void
vdso_tick_coarse(const struct vdso_tick *tick, u32 id, struct vdso_base base)
{
	typedef u32 __attribute__((__may_alias__)) half;
	struct vdso_clock *c = &tick->page->clock[id];
	u32 nsec = (u32)vdso_shr(base.nsec, tick->steered.shift);

	vdso_seq_open_for(c, tick->update);
	c->sec = base.sec;
	((half *)&c->nsec)[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__] = nsec;
	vdso_seq_close_same(c, tick->update, VDSO_MODE_COARSE);
}

/**
 * vdso_tick_begin() - the first part of an update that is a tick
 * @page:	the data page
 * @steered:	as in struct vdso_timekeeper, where it is called real
 *
 * The caller knows that the last full update has set @page->ticks, and that nothing has
 * changed since but the two bases' times, the steered mult, which is not 0 and at most
 * @page->steered_max, and the offsets; and that both bases' nsec are below a second.
 *
 * Return: for vdso_tick_raw() and vdso_tick_end(), which have to follow in this order.
 */
static __always_inline struct vdso_tick
vdso_tick_begin(struct vdso_page *page, const struct vdso_timebase *steered)
{
	return (struct vdso_tick){
		.page = page, .steered = *steered, .last = page->last,
		.update = vdso_seq_next(page),
	};
}

/**
 * vdso_tick_raw() - the second part
 * @tick:	from vdso_tick_begin()
 * @raw:	as in struct vdso_timekeeper; only its times are looked at
 */
static __always_inline void
vdso_tick_raw(const struct vdso_tick *tick, const struct vdso_timebase *raw)
{
	if (tick->steered.mode != VDSO_MODE_SYSCALL)
		vdso_tick_counter(tick, CLOCK_MONOTONIC_RAW, raw,
				  (struct vdso_base){ raw->sec, raw->nsec },
				  tick->page->raw_bits);
}

/**
 * vdso_tick_end() - the third part
 * @tick:		from vdso_tick_begin()
 * @wall_to_monotonic:	as in struct vdso_timekeeper
 * @monotonic_to_boot:	the same
 * @tai_offset:		the same
 */
static __always_inline void
vdso_tick_end(const struct vdso_tick *tick, struct vdso_offset wall_to_monotonic,
	      struct vdso_offset monotonic_to_boot, s32 tai_offset)
{
	const struct vdso_timebase *steered = &tick->steered;
	const struct vdso_base real = { steered->sec, steered->nsec };
	const struct vdso_base tai = { steered->sec + tai_offset, steered->nsec };
	const struct vdso_base mono =
		vdso_ahead(real, wall_to_monotonic.sec,
			   vdso_shl(wall_to_monotonic.nsec, steered->shift), tick->last);

	if (steered->mode != VDSO_MODE_SYSCALL) {
		u32 bits = tick->page->steered_bits;
		struct vdso_base boot;

		vdso_tick_counter(tick, CLOCK_REALTIME, steered, real, bits);
		vdso_tick_counter(tick, CLOCK_TAI, steered, tai, bits);
		vdso_tick_counter(tick, CLOCK_MONOTONIC, steered, mono, bits);
		boot = vdso_ahead(mono, monotonic_to_boot.sec,
				  vdso_shl(monotonic_to_boot.nsec, steered->shift), tick->last);
		vdso_tick_counter(tick, CLOCK_BOOTTIME, steered, boot, bits);
		if (tick->page->ticks == VDSO_TICKS_ALARM) {
			vdso_tick_counter(tick, CLOCK_BOOTTIME_ALARM, steered, boot, bits);
			vdso_tick_counter(tick, CLOCK_REALTIME_ALARM, steered, real, bits);
		}
	}
	vdso_tick_coarse(tick, CLOCK_REALTIME_COARSE, real);
	vdso_tick_coarse(tick, CLOCK_MONOTONIC_COARSE, mono);
}

#endif /* VDSO_TICK_H */
