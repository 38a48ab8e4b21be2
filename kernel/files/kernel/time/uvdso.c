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
#include <vdso/update.h>
#include <asm/uvdso.h>

#include "timekeeping_internal.h"

/* Of one piece with its only caller, which runs at every tick. */
#include "../../lib/vdso/update.c"

#ifndef arch_uvdso_sync
static inline void arch_uvdso_sync(struct vdso_page *page)
{
}
#endif

/*
 * What the timekeeper said last. Not on the stack: what never changes need not be
 * written at every tick. Guarded by timekeeper_lock.
 */
static struct vdso_timekeeper uvdso_timekeeper = {
	.coarse_res = LOW_RES_NSEC,
};

static __always_inline void uvdso_set_base(struct vdso_timebase *base, u32 mode,
					   const struct tk_read_base *tkr, u64 sec)
{
	base->mode = mode;
	base->mult = tkr->mult;
	base->shift = tkr->shift;
	base->res = hrtimer_resolution;
	base->cycle_last = tkr->cycle_last;
	base->mask = tkr->mask;
	base->sec = (s64)sec;
	base->nsec = tkr->xtime_nsec;
}

static __always_inline struct vdso_offset uvdso_offset(struct timespec64 ts)
{
	return (struct vdso_offset){ .sec = ts.tv_sec, .nsec = (u32)ts.tv_nsec };
}

/* Called with timekeeper_lock held. */
void update_vsyscall(struct timekeeper *tk)
{
	struct vdso_timekeeper *to = &uvdso_timekeeper;
	u32 mode = arch_uvdso_mode(tk->tkr_mono.clock->vdso_clock_mode);

	uvdso_set_base(&to->real, mode, &tk->tkr_mono, tk->xtime_sec);
	uvdso_set_base(&to->raw, mode, &tk->tkr_raw, tk->raw_sec);
	to->wall_to_monotonic = uvdso_offset(tk->wall_to_monotonic);
	to->monotonic_to_boot = uvdso_offset(tk->monotonic_to_boot);
	to->tai_offset = tk->tai_offset;
	to->counter_khz = arch_uvdso_counter_khz();
	vdso_update(arch_uvdso_page(), to);
	arch_uvdso_sync(arch_uvdso_page());
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
	/* No lock: the next tick sees it. */
	WRITE_ONCE(uvdso_timekeeper.alarm_clocks, true);
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
	arch_uvdso_init(arch_uvdso_page());
	return 0;
}
early_initcall(uvdso_init);
