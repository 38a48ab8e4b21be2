// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The writer: from a snapshot of the timekeeper to the records of the page. What
 * happens at every tick is in include/vdso/tick.h.
 */
#include <vdso/tick.h>

/* A record's new content, complete before the record is opened. */
static void vdso_store(struct vdso_clock *c, const struct vdso_clock *new)
{
	u32 seq = vdso_seq_open(c);

	c->cycle_last = new->cycle_last;
	c->max_delta = new->max_delta;
	c->mult = new->mult;
	c->shift = new->shift;
	c->sec = new->sec;
	c->nsec = new->nsec;
	c->mask = new->mask;
	WRITE_ONCE(c->res, new->res);
	c->second_delta = new->second_delta;
	vdso_seq_close(c, seq, new->mode);
}

/* Whether the base keeps the ranges that the arithmetic relies on. */
static bool vdso_base_valid(const struct vdso_timebase *base)
{
	return base->shift <= 31 && base->nsec < vdso_shl(NSEC_PER_SEC, base->shift);
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

/* A clock that runs on a counter, ahead of @base's own time by @offset. */
static void vdso_update_counter(struct vdso_clock *c, const struct vdso_timebase *base,
				const struct vdso_offset *offset)
{
	struct vdso_clock new = { .res = base->res };

	if (vdso_counter_valid(base)) {
		u64 second = vdso_shl(NSEC_PER_SEC, base->shift);
		u32 max_delta = vdso_max_delta(base->mask);
		struct vdso_slope slope = vdso_slope(base->mult, second, max_delta);
		struct vdso_base ahead = { .sec = base->sec, .nsec = base->nsec };

		ahead = vdso_ahead(ahead, offset, base->shift, second);
		new.mode = base->mode;
		new.cycle_last = base->cycle_last;
		new.max_delta = max_delta;
		new.mult = base->mult;
		new.shift = base->shift;
		new.sec = ahead.sec;
		new.nsec = ahead.nsec;
		new.mask = base->mask;
		new.second_delta = vdso_second_delta(ahead.nsec, &slope);
	}
	vdso_store(c, &new);
}

/* A clock that is served at times; written only if it is, or was until now. */
static void vdso_update_optional(struct vdso_clock *c, const struct vdso_timebase *base,
				 const struct vdso_offset *offset, bool served)
{
	static const struct vdso_timebase unserved;

	if (served)
		vdso_update_counter(c, base, offset);
	else if (c->mode != VDSO_MODE_SYSCALL || c->res)
		vdso_update_counter(c, &unserved, offset);
}

/* A coarse clock: the base itself, whatever the counter is. */
static void vdso_update_coarse(struct vdso_clock *c, const struct vdso_timekeeper *tk,
			       const struct vdso_offset *offset)
{
	const struct vdso_timebase *base = &tk->real;
	struct vdso_clock new = { .res = tk->coarse_res };

	if (vdso_base_valid(base)) {
		struct vdso_base ahead = { .sec = base->sec, .nsec = base->nsec };

		ahead = vdso_ahead(ahead, offset, base->shift,
				   vdso_shl(NSEC_PER_SEC, base->shift));
		new.mode = VDSO_MODE_COARSE;
		new.sec = ahead.sec;
		new.nsec = vdso_shr_long(ahead.nsec, base->shift);
	}
	vdso_store(c, &new);
}

static struct vdso_offset vdso_offset_sum(struct vdso_offset a, struct vdso_offset b)
{
	struct vdso_offset sum = { .sec = a.sec + b.sec, .nsec = a.nsec + b.nsec };

	if (sum.nsec >= NSEC_PER_SEC) {
		sum.nsec -= NSEC_PER_SEC;
		sum.sec++;
	}
	return sum;
}

/*
 * What the next updates may take for granted. Not that a base was valid or an auxiliary
 * clock served: such a page is updated in full every time.
 */
static u32 vdso_ticks(const struct vdso_timekeeper *tk)
{
	const struct vdso_timebase *real = &tk->real, *raw = &tk->raw;

	if (real->mode != VDSO_MODE_SYSCALL &&
	    !(vdso_counter_valid(real) && vdso_counter_valid(raw)))
		return 0;
	if (!vdso_base_valid(real) || raw->mode != real->mode || raw->res != real->res ||
	    raw->mask != real->mask || raw->shift != real->shift || tk->aux_enabled)
		return 0;
	return tk->alarm_clocks ? VDSO_TICKS_ALARM : VDSO_TICKS;
}

/* Every record, whatever it held before. */
static __cold void vdso_update_all(struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_offset none = { 0 };
	const struct vdso_offset tai = { .sec = tk->tai_offset };
	const struct vdso_offset *mono = &tk->wall_to_monotonic;
	const struct vdso_offset boot = vdso_offset_sum(*mono, tk->monotonic_to_boot);
	struct vdso_clock *clock = page->clock;

	/* If this writer dies in the middle, the next one has to begin anew. */
	WRITE_ONCE(page->ticks, 0);
	barrier();

	vdso_update_counter(&clock[CLOCK_REALTIME], &tk->real, &none);
	vdso_update_counter(&clock[CLOCK_MONOTONIC], &tk->real, mono);
	vdso_update_counter(&clock[CLOCK_MONOTONIC_RAW], &tk->raw, &none);
	vdso_update_counter(&clock[CLOCK_BOOTTIME], &tk->real, &boot);
	vdso_update_counter(&clock[CLOCK_TAI], &tk->real, &tai);
	vdso_update_optional(&clock[CLOCK_REALTIME_ALARM], &tk->real, &none, tk->alarm_clocks);
	vdso_update_optional(&clock[CLOCK_BOOTTIME_ALARM], &tk->real, &boot, tk->alarm_clocks);
	for (u32 i = 0; i < VDSO_AUX_CLOCKS; i++)
		vdso_update_optional(&clock[CLOCK_AUX + i], &tk->aux[i], &none,
				     tk->aux_enabled >> i & 1);
	vdso_update_coarse(&clock[CLOCK_REALTIME_COARSE], tk, &none);
	vdso_update_coarse(&clock[CLOCK_MONOTONIC_COARSE], tk, mono);

	WRITE_ONCE(page->layout_version, VDSO_LAYOUT_VERSION);
	barrier();
	WRITE_ONCE(page->ticks, vdso_ticks(tk));
}

void vdso_update_timezone(struct vdso_page *page, s32 minuteswest, s32 dsttime)
{
	WRITE_ONCE(page->tz_minuteswest, minuteswest);
	WRITE_ONCE(page->tz_dsttime, dsttime);
}

void vdso_update(struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	/* First: whoever sees a coarse record filled also sees the zone (vdso_put_timezone()). */
	vdso_update_timezone(page, tk->tz_minuteswest, tk->tz_dsttime);
	WRITE_ONCE(page->counter_khz, tk->counter_khz);
	if (unlikely(!vdso_tick(page, tk)))
		vdso_update_all(page, tk);
}

void vdso_set_cpu(struct vdso_page *page, u32 mode, u32 arg)
{
	WRITE_ONCE(page->cpu_arg, arg);
	WRITE_ONCE(page->cpu_mode, mode);
}

void vdso_stop(struct vdso_page *page)
{
	WRITE_ONCE(page->ticks, 0);
	for (u32 id = 0; id < VDSO_CLOCKS; id++) {
		struct vdso_clock *c = &page->clock[id];
		u32 seq = vdso_seq_open(c);

		WRITE_ONCE(c->res, 0);
		vdso_seq_close(c, seq, VDSO_MODE_SYSCALL);
	}
}

void vdso_fill_timens(struct vdso_page *page, const struct vdso_page *real,
		      const struct vdso_offset *monotonic, const struct vdso_offset *boottime)
{
	static const struct vdso_offset none;

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
			.mode = VDSO_MODE_TIMENS,
			.sec = offset->sec,
			.nsec = offset->nsec,
			.res = real->clock[id].res,
		});
	}
	vdso_set_cpu(page, real->cpu_mode, real->cpu_arg);
	WRITE_ONCE(page->layout_version, VDSO_LAYOUT_VERSION);
}
