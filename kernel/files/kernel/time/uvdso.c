// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The filler of the vDSO's data page: from the timekeeper to what the core
 * (lib/vdso/update.c) wants to know. Replaces vsyscall.c.
 */
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/time_namespace.h>
#include <linux/timekeeper_internal.h>
#include <linux/uvdso.h>
#include <vdso/tick.h>
#include <asm/uvdso.h>

#include "timekeeping_internal.h"

/* Of one piece with its only caller. */
#include "../../lib/vdso/update.c"

#ifndef arch_uvdso_sync
static inline void arch_uvdso_sync(struct vdso_page *page)
{
}
#endif

/* What the timekeeper said at the last full update. Guarded by timekeeper_lock. */
static struct vdso_timekeeper uvdso_timekeeper = {
	.coarse_res = LOW_RES_NSEC,
};

#ifndef arch_uvdso_mode_is_fixed
static __always_inline bool arch_uvdso_mode_is_fixed(void)
{
	return false;
}
#endif

/*
 * Of the last full update: its clocksource, as the timekeeper counts them, for all that it
 * says of a counter; how that says it is to be read, or NO_TICK: the next update has to be
 * a full one; and the mode that became of this.
 */
#define UVDSO_NO_TICK	(-1)
static u8 uvdso_clocksource;
static int uvdso_clock_mode = UVDSO_NO_TICK;
static u32 uvdso_mode;

static __always_inline struct vdso_timebase uvdso_base(u32 mode, const struct tk_read_base *tkr,
						       u64 sec)
{
	return (struct vdso_timebase){
		.mode = mode,
		.mult = tkr->mult,
		.shift = tkr->shift,
		.res = hrtimer_resolution,
		.cycle_last = tkr->cycle_last,
		.mask = tkr->mask,
		.sec = (s64)sec,
		.nsec = tkr->xtime_nsec,
	};
}

static __always_inline struct vdso_offset uvdso_offset(struct timespec64 ts)
{
	return (struct vdso_offset){ .sec = ts.tv_sec, .nsec = (u32)ts.tv_nsec };
}

static noinline __cold void uvdso_update_all(const struct timekeeper *tk)
{
	struct vdso_timekeeper *to = &uvdso_timekeeper;
	enum vdso_clock_mode clock_mode = tk->tkr_mono.clock->vdso_clock_mode;
	u32 mode = arch_uvdso_mode(clock_mode);

	to->real = uvdso_base(mode, &tk->tkr_mono, tk->xtime_sec);
	to->raw = uvdso_base(mode, &tk->tkr_raw, tk->raw_sec);
	to->wall_to_monotonic = uvdso_offset(tk->wall_to_monotonic);
	to->monotonic_to_boot = uvdso_offset(tk->monotonic_to_boot);
	to->tai_offset = tk->tai_offset;
	to->counter_khz = arch_uvdso_counter_khz();
	vdso_update(arch_uvdso_page(), to);
	uvdso_clocksource = tk->cs_was_changed_seq;
	uvdso_clock_mode = arch_uvdso_page()->ticks ? (int)clock_mode : UVDSO_NO_TICK;
	uvdso_mode = mode;
}

/* Whether nothing has changed since the last full update but the times and a little of mult. */
static __always_inline bool uvdso_is_tick(const struct timekeeper *tk,
					  const struct vdso_page *page)
{
	enum vdso_clock_mode clock_mode = tk->tkr_mono.clock->vdso_clock_mode;

	return (int)clock_mode == uvdso_clock_mode &&
	       (arch_uvdso_mode_is_fixed() || arch_uvdso_mode(clock_mode) == uvdso_mode) &&
	       tk->cs_was_changed_seq == uvdso_clocksource &&
	       tk->tkr_mono.mult <= page->steered_max &&
	       page->clock[CLOCK_REALTIME].res == hrtimer_resolution;
}

/*
 * Without a way through memory: the compiler takes each value from where it is, when it
 * is needed.
 */
static __always_inline void uvdso_update_tick(const struct timekeeper *tk,
					      struct vdso_page *page)
{
	const u32 mode = uvdso_mode;
	const struct vdso_timebase real = uvdso_base(mode, &tk->tkr_mono, tk->xtime_sec);
	const struct vdso_tick tick = vdso_tick_begin(page, &real);
	const struct vdso_timebase raw = uvdso_base(mode, &tk->tkr_raw, tk->raw_sec);

	vdso_tick_raw(&tick, &raw);
	vdso_tick_end(&tick, uvdso_offset(tk->wall_to_monotonic),
		      uvdso_offset(tk->monotonic_to_boot), tk->tai_offset);
}

/* Called with timekeeper_lock held. */
void update_vsyscall(struct timekeeper *tk)
{
	struct vdso_page *page = arch_uvdso_page();

	if (likely(uvdso_is_tick(tk, page)))
		uvdso_update_tick(tk, page);
	else
		uvdso_update_all(tk);
	arch_uvdso_sync(page);
}

void update_vsyscall_tz(void)
{
	unsigned long flags;

	/* A tick in between would put back the old zone for the length of a tick. */
	raw_spin_lock_irqsave(&timekeeper_lock, flags);
	uvdso_timekeeper.tz_minuteswest = sys_tz.tz_minuteswest;
	uvdso_timekeeper.tz_dsttime = sys_tz.tz_dsttime;
	vdso_update_timezone(arch_uvdso_page(), sys_tz.tz_minuteswest, sys_tz.tz_dsttime);
	arch_uvdso_sync(arch_uvdso_page());
	raw_spin_unlock_irqrestore(&timekeeper_lock, flags);
}

void uvdso_serve_alarm_clocks(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&timekeeper_lock, flags);
	uvdso_timekeeper.alarm_clocks = true;
	uvdso_clock_mode = UVDSO_NO_TICK;
	raw_spin_unlock_irqrestore(&timekeeper_lock, flags);
}

#ifdef CONFIG_TIME_NS
void uvdso_fill_timens(void *page, const struct time_namespace *ns)
{
	struct vdso_offset monotonic = uvdso_offset(ns->offsets.monotonic);
	struct vdso_offset boottime = uvdso_offset(ns->offsets.boottime);

	vdso_fill_timens(page, arch_uvdso_page(), &monotonic, &boottime);
	arch_uvdso_sync(page);
}
#endif

/* Before the first program is started: readers take the page's word for it without a look back. */
static int __init uvdso_init(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&timekeeper_lock, flags);
	arch_uvdso_init(arch_uvdso_page());
	uvdso_clock_mode = UVDSO_NO_TICK;
	raw_spin_unlock_irqrestore(&timekeeper_lock, flags);
	return 0;
}
early_initcall(uvdso_init);
