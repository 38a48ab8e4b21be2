/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The host kernel's clocks, as a timekeeper snapshot that vdso_update() takes.
 *
 * A stock kernel keeps its conversion parameters in a page that every process
 * can read, [vvar]. Its layout is no ABI: a few known ones are tried, and one is
 * accepted only if the clocks computed from it agree with the system calls. Where
 * none fits, the parameters are measured against the system calls instead.
 *
 * All times are those of the initial time namespace, whatever namespace the
 * caller is in.
 *
 * A tool that uses this links $(host-clock-objs) (tools/lib/tool.mk).
 */
#ifndef TOOLS_LIB_HOST_CLOCK_H
#define TOOLS_LIB_HOST_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <vdso/update.h>

/* How a host's page is laid out; see host_vvar.c. */
struct host_vvar_layout;

/**
 * struct host_line - a clock measured against the system calls
 * @cycles:	counter value of the first measurement that the slope rests on
 * @ns:		the clock's time then
 * @slope:	ns per cycle
 */
struct host_line {
	u64	cycles;
	s64	ns;
	double	slope;
};

/**
 * struct host_clock - where the parameters come from, and what they were last
 * @vvar:		the host's real page, NULL: by calibration
 * @layout:		how to read @vvar
 * @sequence:		of the last snapshot
 * @counter:		VDSO_MODE_* to read this CPU's counter by if that is the host's clock
 *			source; VDSO_MODE_SYSCALL: use no counter at all
 * @mode:		of the last snapshot: how the clocks are read
 * @own_monotonic:	offsets of the caller's own time namespace
 * @own_boottime:	the same
 * @base:		what changes only when somebody sets the clock
 * @monotonic:		calibration only
 * @raw:		calibration only
 * @coarse_ns:		calibration only: CLOCK_MONOTONIC_COARSE of the last snapshot
 * @bracket_ns:		calibration only: how long the measured system calls took,
 *			which bounds the error
 */
struct host_clock {
	const void			*vvar;
	const struct host_vvar_layout	*layout;
	u32				sequence;
	u32				counter;
	u32				mode;
	struct vdso_offset		own_monotonic;
	struct vdso_offset		own_boottime;
	struct vdso_timekeeper		base;
	struct host_line		monotonic;
	struct host_line		raw;
	s64				coarse_ns;
	u32				bracket_ns;
};

/**
 * host_clock_open() - find out where the parameters come from
 * @host:	takes the state; there is nothing to close
 * @why:	takes a sentence for people if nothing works
 * @why_size:	size of @why in bytes
 *
 * Return: 0, or -1 and @host is unusable.
 */
int host_clock_open(struct host_clock *host, char *why, size_t why_size);

/**
 * host_clock_open_calibrated() - the same, without looking at [vvar]
 * @host:	see host_clock_open()
 * @why:	likewise
 * @why_size:	likewise
 *
 * Takes about 50 ms.
 *
 * Return: 0, or -1 and @host is unusable: the counter does not follow the clock.
 */
int host_clock_open_calibrated(struct host_clock *host, char *why, size_t why_size);

/**
 * host_clock_changed() - whether the kernel has updated its clocks
 * @host:	open
 *
 * Costs one load where there is a [vvar]: made for watching it.
 *
 * Return: false if host_clock_snapshot() would give what it gave last.
 */
bool host_clock_changed(const struct host_clock *host);

/**
 * host_clock_snapshot() - the kernel's clocks now
 * @host:	open
 * @tk:		takes a consistent snapshot for vdso_update()
 *
 * The coarse clocks that vdso_update() makes of it are exactly the kernel's.
 *
 * Return: true if the kernel has updated its clocks since the previous snapshot.
 */
bool host_clock_snapshot(struct host_clock *host, struct vdso_timekeeper *tk);

/**
 * host_clock_was_set() - look again at what only setting the clock changes
 * @host:	open; somebody may have set the clock, the time zone or the TAI offset
 */
void host_clock_was_set(struct host_clock *host);

/**
 * host_clock_describe() - which source this is and how exact
 * @host:	open
 * @text:	takes one line without a newline
 * @size:	size of @text in bytes
 */
void host_clock_describe(const struct host_clock *host, char *text, size_t size);

/**
 * host_clock_ns() - what a time base says at a counter value
 * @base:	as in a snapshot; its counter must be usable
 * @cycles:	counter value; one before @base->cycle_last counts as that
 *
 * Return: ns since the clock's zero.
 */
s64 host_clock_ns(const struct vdso_timebase *base, u64 cycles);

/**
 * host_clock_rebase() - move a base along its own line
 * @base:	in: any base; out: the same line, and the base time in whole ns is @ns
 * @ns:		near the base time
 *
 * Exact if the counter is faster than 1 GHz: some cycle falls into every ns. With a
 * slower one the line may end up lower, by less than a cycle.
 */
void host_clock_rebase(struct vdso_timebase *base, s64 ns);

/* The host's clocks by raw system call, in ns of the initial time namespace; -1: not known there. */
s64 host_syscall_ns(const struct host_clock *host, int id);

/* For host_clock_open() only: host_vvar.c and host_calibrate.c. */
int host_vvar_open(struct host_clock *host);
void host_vvar_read(struct host_clock *host, struct vdso_timekeeper *tk);
u32 host_vvar_sequence(const struct host_clock *host);
const char *host_vvar_name(const struct host_clock *host);
int host_calibrate_open(struct host_clock *host, char *why, size_t why_size);
void host_calibrate(struct host_clock *host, struct vdso_timekeeper *tk);

#endif /* TOOLS_LIB_HOST_CLOCK_H */
