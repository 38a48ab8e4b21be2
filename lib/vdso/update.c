// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The writer: from a snapshot of the timekeeper to the records of the page.
 */
#include <vdso/arith.h>
#include <vdso/seq.h>
#include <vdso/update.h>

/* A record's new content, complete before the record is opened. */
static void vdso_store(struct vdso_clock *c, const struct vdso_clock *new)
{
	vdso_seq_open(c);
	WRITE_ONCE(c->cycle_last, new->cycle_last);
	WRITE_ONCE(c->max_delta, new->max_delta);
	WRITE_ONCE(c->mult, new->mult);
	WRITE_ONCE(c->shift, new->shift);
	WRITE_ONCE(c->sec, new->sec);
	WRITE_ONCE(c->nsec, new->nsec);
	WRITE_ONCE(c->mask, new->mask);
	WRITE_ONCE(c->res, new->res);
	WRITE_ONCE(c->second_delta, new->second_delta);
	vdso_seq_close(c, new->mode);
}

/*
 * The largest delta that the short arithmetic of the reader takes: it fits 32
 * bits, delta * mult + nsec fits 64, and it is not in the half of the counter's
 * range that means "behind".
 */
static u64 vdso_max_delta(const struct vdso_timebase *base, u64 nsec)
{
	u64 room = U64_MAX - nsec;
	u64 max = U32_MAX;
	u32 rest;

	if (max * base->mult > room)
		max = vdso_divmod((struct vdso_u128){ .lo = room }, base->mult, &rest);
	return max < base->mask >> 1 ? max : base->mask >> 1;
}

/*
 * A delta for which the time stays below @second, the length of a second << shift:
 * with n bits of mult it is what is left of the second, divided by 2^n. The reader
 * has a way for what lies above, so nothing is lost but a little time in the last
 * ticks of a second, and no CPU has to divide 64-bit numbers here.
 */
static u32 vdso_second_delta(const struct vdso_clock *new, u64 second)
{
	u64 delta = (second - 1 - new->nsec) >> (32 - __builtin_clz(new->mult));

	return (u32)(delta < new->max_delta ? delta : new->max_delta);
}

/* Whether the base keeps the ranges that the arithmetic relies on. */
static bool vdso_base_valid(const struct vdso_timebase *base)
{
	return base->shift <= 31 && base->nsec >> base->shift < NSEC_PER_SEC;
}

/* Whether the counter can be read from user space at all, and its mask is 0...01...1. */
static bool vdso_counter_valid(const struct vdso_timebase *base)
{
	return base->mode >= VDSO_MODE_ARCH && base->mode != VDSO_MODE_OPEN &&
	       base->mult && base->mask && !(base->mask & (base->mask + 1)) &&
	       vdso_base_valid(base);
}

/* A clock that runs on a counter, ahead of @base's own time by @offset. */
static void vdso_update_counter(struct vdso_clock *c, const struct vdso_timebase *base,
				struct vdso_offset offset)
{
	u64 second = (u64)NSEC_PER_SEC << (base->shift & 31);
	struct vdso_clock new = {
		.mode = vdso_counter_valid(base) ? base->mode : VDSO_MODE_SYSCALL,
		.cycle_last = base->cycle_last,
		.mult = base->mult,
		.shift = base->shift,
		.sec = base->sec + offset.sec,
		.nsec = base->nsec + ((u64)offset.nsec << (base->shift & 31)),
		.mask = base->mask,
		.res = base->res,
	};

	if (new.nsec >= second) {
		new.nsec -= second;
		new.sec++;
	}
	if (new.mode != VDSO_MODE_SYSCALL) {
		new.max_delta = vdso_max_delta(base, new.nsec);
		new.second_delta = vdso_second_delta(&new, second);
	}
	vdso_store(c, &new);
}

/* A coarse clock: the base itself, whatever the counter is. */
static void vdso_update_coarse(struct vdso_clock *c, const struct vdso_timekeeper *tk,
			       struct vdso_offset offset)
{
	const struct vdso_timebase *base = &tk->real;
	struct vdso_clock new = {
		.mode = vdso_base_valid(base) ? VDSO_MODE_COARSE : VDSO_MODE_SYSCALL,
		.sec = base->sec + offset.sec,
		.nsec = (base->nsec >> (base->shift & 31)) + offset.nsec,
		.res = tk->coarse_res,
	};

	if (new.nsec >= NSEC_PER_SEC) {
		new.nsec -= NSEC_PER_SEC;
		new.sec++;
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

void vdso_update_timezone(struct vdso_page *page, s32 minuteswest, s32 dsttime)
{
	WRITE_ONCE(page->tz_minuteswest, minuteswest);
	WRITE_ONCE(page->tz_dsttime, dsttime);
}

void vdso_update(struct vdso_page *page, const struct vdso_timekeeper *tk)
{
	static const struct vdso_timebase unserved;
	const struct vdso_offset none = { 0 };
	const struct vdso_offset tai = { .sec = tk->tai_offset };
	const struct vdso_offset mono = tk->wall_to_monotonic;
	const struct vdso_offset boot = vdso_offset_sum(mono, tk->monotonic_to_boot);
	const struct vdso_timebase *alarm = tk->alarm_clocks ? &tk->real : &unserved;
	struct vdso_clock *clock = page->clock;

	/* First: whoever sees a coarse record filled also sees the zone (vdso_put_timezone()). */
	vdso_update_timezone(page, tk->tz_minuteswest, tk->tz_dsttime);

	vdso_update_counter(&clock[CLOCK_REALTIME], &tk->real, none);
	vdso_update_counter(&clock[CLOCK_MONOTONIC], &tk->real, mono);
	vdso_update_counter(&clock[CLOCK_MONOTONIC_RAW], &tk->raw, none);
	vdso_update_counter(&clock[CLOCK_BOOTTIME], &tk->real, boot);
	vdso_update_counter(&clock[CLOCK_TAI], &tk->real, tai);
	vdso_update_counter(&clock[CLOCK_REALTIME_ALARM], alarm, none);
	vdso_update_counter(&clock[CLOCK_BOOTTIME_ALARM], alarm, boot);
	for (u32 i = 0; i < VDSO_AUX_CLOCKS; i++)
		vdso_update_counter(&clock[CLOCK_AUX + i],
				    tk->aux_enabled & 1u << i ? &tk->aux[i] : &unserved, none);

	vdso_update_coarse(&clock[CLOCK_REALTIME_COARSE], tk, none);
	vdso_update_coarse(&clock[CLOCK_MONOTONIC_COARSE], tk, mono);

	WRITE_ONCE(page->counter_khz, tk->counter_khz);
	WRITE_ONCE(page->layout_version, VDSO_LAYOUT_VERSION);
}

void vdso_set_cpu(struct vdso_page *page, u32 mode, u32 arg)
{
	WRITE_ONCE(page->cpu_arg, arg);
	WRITE_ONCE(page->cpu_mode, mode);
}

void vdso_stop(struct vdso_page *page)
{
	for (u32 id = 0; id < VDSO_CLOCKS; id++) {
		struct vdso_clock *c = &page->clock[id];

		vdso_seq_open(c);
		WRITE_ONCE(c->res, 0);
		vdso_seq_close(c, VDSO_MODE_SYSCALL);
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
