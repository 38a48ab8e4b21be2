// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The writer: from a snapshot of the timekeeper to the records of the page. What
 * happens at every tick is in include/vdso/tick.h.
 */
#include <vdso/tick.h>

/* A record's new content, complete before the record is opened. */
static void vdso_store(struct vdso_clock *c, const struct vdso_clock *new)
{
	vdso_seq_open_for(c, new->seq);
	c->cycle_last = new->cycle_last;
	c->max_delta = new->max_delta;
	c->mult = new->mult;
	c->shift = new->shift;
	c->sec = new->sec;
	c->nsec = new->nsec;
	c->mask = new->mask;
	WRITE_ONCE(c->res, new->res);
	c->second_delta = new->second_delta;
	vdso_seq_close(c, new->seq, new->mode);
}

/* Whether the base keeps the ranges that the arithmetic relies on. */
static bool vdso_base_valid(const struct vdso_timebase *base)
{
	return base->shift <= 31 && base->nsec < (u64)NSEC_PER_SEC << base->shift;
}

/* Whether the counter can be read from user space at all, and its mask is 0...01...1. */
static bool vdso_counter_valid(const struct vdso_timebase *base)
{
	return base->mode >= VDSO_MODE_ARCH && base->mode != VDSO_MODE_OPEN &&
	       base->mult && base->mask && !(base->mask & (base->mask + 1)) &&
	       vdso_base_valid(base);
}

/* Nor does the reader's short way take the half of the counter's range that means "behind". */
static u32 vdso_max_delta(u64 mask)
{
	return mask >> 1 < VDSO_MAX_DELTA ? (u32)(mask >> 1) : VDSO_MAX_DELTA;
}

/*
 * A delta for which the time surely stays within the second: see vdso_tick_counter().
 * The reader has a way for what lies above, so nothing is lost but a little time in the
 * last ticks of a second, and no CPU has to divide 64-bit numbers here.
 */
static u32 vdso_second_delta(u64 left, u32 mult, u64 max_delta)
{
	u64 delta = left >> vdso_bits(mult);

	return (u32)(delta < max_delta ? delta : max_delta);
}

/* A clock that runs on a counter, ahead of @base's own time by @offset. */
static void vdso_update_counter(struct vdso_clock *c, u32 update,
				const struct vdso_timebase *base, struct vdso_offset offset)
{
	struct vdso_clock new = { .seq = update, .res = base->res };

	if (vdso_counter_valid(base)) {
		u64 last = ((u64)NSEC_PER_SEC << base->shift) - 1;
		struct vdso_base ahead = { base->sec, base->nsec };

		ahead = vdso_ahead(ahead, offset.sec, (u64)offset.nsec << base->shift, last);
		new.mode = base->mode;
		new.cycle_last = base->cycle_last;
		new.max_delta = vdso_max_delta(base->mask);
		new.mult = base->mult;
		new.shift = base->shift;
		new.sec = ahead.sec;
		new.nsec = ahead.nsec;
		new.mask = base->mask;
		new.second_delta = vdso_second_delta(last - ahead.nsec, base->mult,
						     new.max_delta);
	}
	vdso_store(c, &new);
}

/* A clock that is served at times; written only if it is, or was until now, or was left open. */
static void vdso_update_optional(struct vdso_clock *c, u32 update,
				 const struct vdso_timebase *base,
				 struct vdso_offset offset, bool served)
{
	static const struct vdso_timebase unserved;

	if (served)
		vdso_update_counter(c, update, base, offset);
	else if (c->mode != VDSO_MODE_SYSCALL || c->res || c->seq & 1)
		vdso_update_counter(c, update, &unserved, offset);
}

/* A coarse clock: the base itself, whatever the counter is. */
static void vdso_update_coarse(struct vdso_clock *c, u32 update,
			       const struct vdso_timekeeper *tk,
			       struct vdso_offset offset)
{
	const struct vdso_timebase *base = &tk->real;
	/* The seconds stay if they are no longer served: time() may be about to load them. */
	struct vdso_clock new = { .seq = update, .res = tk->coarse_res, .sec = c->sec };

	if (vdso_base_valid(base)) {
		struct vdso_base ahead = { .sec = base->sec, .nsec = base->nsec };

		ahead = vdso_ahead(ahead, offset.sec, (u64)offset.nsec << base->shift,
				   ((u64)NSEC_PER_SEC << base->shift) - 1);
		new.mode = VDSO_MODE_COARSE;
		new.sec = ahead.sec;
		new.nsec = ahead.nsec >> base->shift;
	}
	vdso_store(c, &new);
}

/*
 * Whether ticks need no clamp: a second's cycles fit the short arithmetic, and their
 * number is found by one shift, which a 32-bit CPU does best by less than 32.
 */
static bool vdso_short_second(const struct vdso_timebase *base)
{
	u64 last = ((u64)NSEC_PER_SEC << base->shift) - 1;
	u32 bits = vdso_bits(base->mult);

	return (sizeof(long) == 8 || bits < 32) && last >> bits <= vdso_max_delta(base->mask);
}

/* Whether one counter is behind both bases. */
static bool vdso_one_counter(const struct vdso_timebase *a, const struct vdso_timebase *b)
{
	return a->mode == b->mode && a->res == b->res &&
	       (a->mode == VDSO_MODE_SYSCALL || (a->mask == b->mask && a->shift == b->shift));
}

/*
 * What ticks may take for granted. Where it is nothing (an invalid base, two counters,
 * auxiliary clocks), every update is a full one.
 */
static u32 vdso_ticks(const struct vdso_timekeeper *tk)
{
	u32 ticks = tk->alarm_clocks ? VDSO_TICKS_ALARM : VDSO_TICKS;
	const struct vdso_timebase *real = &tk->real, *raw = &tk->raw;

	if (tk->aux_enabled || !vdso_one_counter(real, raw) || !vdso_can_shift(real->shift))
		return 0;
	if (real->mode == VDSO_MODE_SYSCALL)
		return vdso_base_valid(real) ? ticks : 0;
	if (!vdso_counter_valid(real) || !vdso_counter_valid(raw) ||
	    !vdso_short_second(real) || !vdso_short_second(raw))
		return 0;
	return ticks;
}

/* From now on every update is a full one, until one has been done. */
static void vdso_forget_ticks(struct vdso_page *page)
{
	WRITE_ONCE(page->ticks, 0);
}

/* Every record, whatever it held before. */
static __cold void vdso_update_all(struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_offset none = { 0 };
	const struct vdso_offset tai = { .sec = tk->tai_offset };
	const struct vdso_offset mono = tk->wall_to_monotonic;
	const struct vdso_offset boot = vdso_offset_sum(mono, tk->monotonic_to_boot);
	const struct vdso_timebase *real = &tk->real;
	struct vdso_clock *clock = page->clock;
	u32 update = vdso_seq_next(page);

	/* If this writer dies in the middle, the next one has to begin anew. */
	vdso_forget_ticks(page);
	barrier();

	vdso_update_counter(&clock[CLOCK_REALTIME], update, real, none);
	vdso_update_counter(&clock[CLOCK_MONOTONIC], update, real, mono);
	vdso_update_counter(&clock[CLOCK_MONOTONIC_RAW], update, &tk->raw, none);
	vdso_update_counter(&clock[CLOCK_BOOTTIME], update, real, boot);
	vdso_update_counter(&clock[CLOCK_TAI], update, real, tai);
	vdso_update_optional(&clock[CLOCK_REALTIME_ALARM], update, real, none, tk->alarm_clocks);
	vdso_update_optional(&clock[CLOCK_BOOTTIME_ALARM], update, real, boot, tk->alarm_clocks);
	for (u32 i = 0; i < VDSO_AUX_CLOCKS; i++)
		vdso_update_optional(&clock[CLOCK_AUX + i], update, &tk->aux[i], none,
				     tk->aux_enabled >> i & 1);
	vdso_update_coarse(&clock[CLOCK_REALTIME_COARSE], update, tk, none);
	vdso_update_coarse(&clock[CLOCK_MONOTONIC_COARSE], update, tk, mono);

	if (real->mult && tk->raw.mult) {
		WRITE_ONCE(page->steered_bits, vdso_bits(real->mult));
		WRITE_ONCE(page->steered_max, U32_MAX >> (32 - vdso_bits(real->mult)));
		WRITE_ONCE(page->raw_bits, vdso_bits(tk->raw.mult));
	}
	page->last = ((u64)NSEC_PER_SEC << (real->shift & 31)) - 1;
	WRITE_ONCE(page->layout_version, VDSO_LAYOUT_VERSION);
	barrier();
	WRITE_ONCE(page->ticks, vdso_ticks(tk));
}

void vdso_update_timezone(struct vdso_page *page, s32 minuteswest, s32 dsttime)
{
	WRITE_ONCE(page->tz_minuteswest, minuteswest);
	WRITE_ONCE(page->tz_dsttime, dsttime);
}

/* Whether the page's counter records are of that counter. */
static bool vdso_same_counter(const struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_clock *clock = page->clock;

	return tk->real.mode == VDSO_MODE_SYSCALL ||
	       (tk->real.mult && vdso_bits(tk->real.mult) == page->steered_bits &&
		tk->real.mask == clock[CLOCK_REALTIME].mask &&
		tk->real.shift == clock[CLOCK_REALTIME].shift &&
		tk->raw.mult == clock[CLOCK_MONOTONIC_RAW].mult && vdso_base_valid(&tk->raw));
}

/* What vdso_tick_begin() wants to be known. */
static bool vdso_is_tick(const struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_clock *real = &page->clock[CLOCK_REALTIME];

	return page->ticks && real->mode == tk->real.mode && real->res == tk->real.res &&
	       page->last == ((u64)NSEC_PER_SEC << (tk->real.shift & 31)) - 1 &&
	       tk->alarm_clocks == (page->ticks == VDSO_TICKS_ALARM) && !tk->aux_enabled &&
	       tk->coarse_res == page->clock[CLOCK_REALTIME_COARSE].res &&
	       vdso_can_shift(tk->real.shift) &&
	       vdso_base_valid(&tk->real) && vdso_one_counter(&tk->real, &tk->raw) &&
	       vdso_same_counter(page, tk);
}

void vdso_update(struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	struct vdso_tick tick;

	/* First: whoever sees a coarse record filled also sees the zone (vdso_put_timezone()). */
	vdso_update_timezone(page, tk->tz_minuteswest, tk->tz_dsttime);
	WRITE_ONCE(page->counter_khz, tk->counter_khz);
	if (unlikely(!vdso_is_tick(page, tk))) {
		vdso_update_all(page, tk);
		return;
	}
	tick = vdso_tick_begin(page, &tk->real);
	vdso_tick_raw(&tick, &tk->raw);
	vdso_tick_end(&tick, tk->wall_to_monotonic, tk->monotonic_to_boot, tk->tai_offset);
}

void vdso_set_cpu(struct vdso_page *page, u32 mode, u32 arg)
{
	WRITE_ONCE(page->cpu_arg, arg);
	WRITE_ONCE(page->cpu_mode, mode);
}

void vdso_stop(struct vdso_page *page)
{
	u32 update = vdso_seq_next(page);

	vdso_forget_ticks(page);
	for (u32 id = 0; id < VDSO_CLOCKS; id++) {
		struct vdso_clock *c = &page->clock[id];

		vdso_seq_open_for(c, update);
		WRITE_ONCE(c->res, 0);
		vdso_seq_close(c, update, VDSO_MODE_SYSCALL);
	}
}

void vdso_fill_timens(struct vdso_page *page, const struct vdso_page *real,
		      const struct vdso_offset *monotonic, const struct vdso_offset *boottime)
{
	static const struct vdso_offset none;
	u32 update = vdso_seq_next(page);

	for (u32 id = 0; id < VDSO_CLOCKS; id++) {
		const struct vdso_offset *offset = &none;

		switch (id) {
		case CLOCK_MONOTONIC:
		case CLOCK_MONOTONIC_RAW:
		case CLOCK_MONOTONIC_COARSE:
			offset = monotonic;
			break;
		case CLOCK_BOOTTIME:
		case CLOCK_BOOTTIME_ALARM:
			offset = boottime;
			break;
		}
		vdso_store(&page->clock[id], &(struct vdso_clock){
			.seq = update,
			.mode = VDSO_MODE_TIMENS,
			.sec = offset->sec,
			.nsec = offset->nsec,
			.res = real->clock[id].res,
		});
	}
	vdso_set_cpu(page, real->cpu_mode, real->cpu_arg);
	WRITE_ONCE(page->layout_version, VDSO_LAYOUT_VERSION);
}
