/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The writer: what fills the data page. In a Linux tree the timekeeping core
 * calls it, standalone vdso-run and the tests do.
 *
 * There is one writer at a time; the caller sees to that (the kernel holds its
 * timekeeper lock). Readers need no lock and never hold up the writer.
 */
#ifndef VDSO_UPDATE_H
#define VDSO_UPDATE_H

#include <vdso/layout.h>

/**
 * struct vdso_timebase - one clock as a base time and the slope from there
 * @mode:	the architecture's counter, or VDSO_MODE_SYSCALL if it can't be used
 * @mult:	ns = (cycles * @mult + @nsec) >> @shift
 * @shift:	0 to 31
 * @res:	resolution in ns
 * @cycle_last:	counter value that the base belongs to
 * @mask:	the bits that the counter has
 * @sec:	base time, seconds
 * @nsec:	base time, ns << @shift, below one second
 *
 * A base that breaks these ranges is served by system call, never wrongly.
 */
struct vdso_timebase {
	u32	mode;
	u32	mult;
	u32	shift;
	u32	res;
	u64	cycle_last;
	u64	mask;
	s64	sec;
	u64	nsec;
};

/**
 * struct vdso_offset - a difference between two clocks
 * @sec:	seconds, may be negative
 * @nsec:	0 to 999999999, counted upwards from @sec
 */
struct vdso_offset {
	s64	sec;
	u32	nsec;
};

/**
 * vdso_offset_sum() - one offset on top of another
 * @a:	an offset
 * @b:	another
 */
static inline struct vdso_offset
vdso_offset_sum(struct vdso_offset a, struct vdso_offset b)
{
	struct vdso_offset sum = { .sec = a.sec + b.sec, .nsec = a.nsec + b.nsec };

	if (sum.nsec >= NSEC_PER_SEC) {
		sum.nsec -= NSEC_PER_SEC;
		sum.sec++;
	}
	return sum;
}

/**
 * struct vdso_timekeeper - a snapshot of the timekeeper
 * @real:		CLOCK_REALTIME and the slope of all clocks steered by NTP
 * @raw:		CLOCK_MONOTONIC_RAW and its slope
 * @wall_to_monotonic:	what to add to CLOCK_REALTIME for CLOCK_MONOTONIC
 * @monotonic_to_boot:	what to add to CLOCK_MONOTONIC for CLOCK_BOOTTIME
 * @tai_offset:		what to add to CLOCK_REALTIME for CLOCK_TAI, seconds
 * @coarse_res:		resolution of the coarse clocks (one tick) in ns
 * @counter_khz:	nominal counter frequency in kHz, 0: not known
 * @alarm_clocks:	serve CLOCK_REALTIME_ALARM and CLOCK_BOOTTIME_ALARM (the
 *			system call knows them only where there is an alarm device)
 * @aux_enabled:	bit n set: @aux[n] holds CLOCK_AUX + n
 * @tz_minuteswest:	the kernel's time zone
 * @tz_dsttime:		the same
 * @aux:		the auxiliary clocks, each with its own slope
 */
struct vdso_timekeeper {
	struct vdso_timebase	real;
	struct vdso_timebase	raw;
	struct vdso_offset	wall_to_monotonic;
	struct vdso_offset	monotonic_to_boot;
	s32			tai_offset;
	u32			coarse_res;
	u32			counter_khz;
	bool			alarm_clocks;
	u8			aux_enabled;
	s32			tz_minuteswest;
	s32			tz_dsttime;
	struct vdso_timebase	aux[VDSO_AUX_CLOCKS];
};

/**
 * vdso_update() - bring every record of the page up to date
 * @page:	the data page
 * @tk:		what the timekeeper says now
 *
 * All values are computed before a record is opened; a record is open only for
 * the stores into it. High-resolution records come before coarse ones: whoever
 * has seen a coarse time never gets an earlier high-resolution one.
 */
void vdso_update(struct vdso_page *page, const struct vdso_timekeeper *tk);

/**
 * vdso_update_timezone() - change only the time zone
 * @page:		the data page
 * @minuteswest:	as in struct timezone
 * @dsttime:		as in struct timezone
 */
void vdso_update_timezone(struct vdso_page *page, s32 minuteswest, s32 dsttime);

/**
 * vdso_stop() - send every reader to the system call from now on
 * @page:	the data page; its records may have been left open by a dead writer
 *
 * The next vdso_update() starts serving again.
 */
void vdso_stop(struct vdso_page *page);

/**
 * vdso_set_cpu() - say how getcpu() is answered
 * @page:	a page that no reader uses yet
 * @mode:	VDSO_CPU_SYSCALL or one of the architecture's ways
 * @arg:	what that way needs
 */
void vdso_set_cpu(struct vdso_page *page, u32 mode, u32 arg);

/**
 * vdso_fill_timens() - make a page the first page of a time namespace
 * @page:	a page that no reader uses yet
 * @real:	the page that the writer updates, mapped behind @page
 * @monotonic:	offset of CLOCK_MONOTONIC, _RAW and _COARSE in the namespace
 * @boottime:	offset of CLOCK_BOOTTIME and CLOCK_BOOTTIME_ALARM
 *
 * The page never changes afterwards: the real page does, right behind it.
 */
void vdso_fill_timens(struct vdso_page *page, const struct vdso_page *real,
		      const struct vdso_offset *monotonic, const struct vdso_offset *boottime);

#endif /* VDSO_UPDATE_H */
