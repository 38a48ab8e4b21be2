// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion parameters measured against the system calls, for a host whose
 * [vvar] has a layout that nobody here knows.
 *
 * A reading of a clock is bracketed by two of the counter: the clock had the
 * reading's value somewhere in between. It is taken to have had it at the later
 * one, so that the line is not ahead of the kernel's, and behind by no more than
 * the bracket is wide. The coarse clocks need no counter: they are read as they are.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <vdso/hooks.h>
#include "host_clock.h"
#include "host_cpu.h"

#define CALIBRATE_FIRST_NS	50000000
#define CALIBRATE_TRIES		8
/* The slope rests on at most this long: NTP may change it. */
#define CALIBRATE_SPAN_NS	1000000000
/* Rather a little slow: the next measurement, at the next tick, makes up for it. */
#define CALIBRATE_SLOPE		(1 - 1e-6)
/* Two halves of the first measurement must agree this well, or the counter is no clock. */
#define CALIBRATE_TOLERANCE	1e-3
/* The slowest counter that is one, ns per cycle. */
#define CALIBRATE_MAX_SLOPE	1000

struct sample {
	u64	cycles;		/* after the reading */
	u64	width;		/* of the bracket, in cycles */
	s64	ns;
};

/* The tightest of a few brackets: interrupts only widen them. */
static struct sample take_sample(const struct host_clock *host, int id)
{
	struct sample best = { .width = U64_MAX };

	for (int try = 0; try < CALIBRATE_TRIES; try++) {
		u64 begin = host_cpu_read_counter(host->counter);
		struct sample s = { .ns = host_syscall_ns(host, id) };

		s.cycles = host_cpu_read_counter(host->counter);
		s.width = s.cycles - begin;
		if (s.width < best.width)
			best = s;
	}
	return best;
}

static void begin_line(struct host_line *line, const struct sample *s)
{
	line->cycles = s->cycles;
	line->ns = s->ns;
}

static void follow_line(struct host_line *line, const struct sample *s)
{
	s64 span = s->ns - line->ns;

	if (span < CALIBRATE_FIRST_NS)
		return;
	line->slope = (double)span / (double)(s->cycles - line->cycles);
	if (span >= CALIBRATE_SPAN_NS)
		begin_line(line, s);
}

static void to_timebase(struct vdso_timebase *base, const struct host_line *line,
			const struct sample *s)
{
	double slope = line->slope * CALIBRATE_SLOPE;

	/* As much of the slope as fits 32 bits. */
	base->shift = 30;
	while (slope * (1u << base->shift) >= U32_MAX)
		base->shift--;
	base->mode = VDSO_MODE_ARCH;
	base->mult = (u32)(slope * (1u << base->shift));
	base->mask = U64_MAX;
	base->cycle_last = s->cycles;
	base->sec = s->ns / NSEC_PER_SEC;
	base->nsec = (u64)(s->ns % NSEC_PER_SEC) << base->shift;
}

static struct vdso_offset to_offset(s64 ns)
{
	s64 sec = ns / NSEC_PER_SEC - (ns % NSEC_PER_SEC < 0);

	return (struct vdso_offset){ .sec = sec, .nsec = (u32)(ns - sec * NSEC_PER_SEC) };
}

/* Both coarse clocks of one tick: they differ by exactly what the clocks themselves do. */
static s64 read_coarse(const struct host_clock *host, s64 *monotonic)
{
	s64 real;

	do {
		*monotonic = host_syscall_ns(host, CLOCK_MONOTONIC_COARSE);
		real = host_syscall_ns(host, CLOCK_REALTIME_COARSE);
	} while (*monotonic != host_syscall_ns(host, CLOCK_MONOTONIC_COARSE));
	return real;
}

/*
 * CLOCK_BOOTTIME minus CLOCK_MONOTONIC changes only in suspend, and there is no
 * coarse pair to take it from: it is kept for as long as readings allow it.
 */
static void read_boot_offset(struct host_clock *host)
{
	struct vdso_offset *offset = &host->base.monotonic_to_boot;
	s64 before = host_syscall_ns(host, CLOCK_MONOTONIC);
	s64 boot = host_syscall_ns(host, CLOCK_BOOTTIME);
	s64 after = host_syscall_ns(host, CLOCK_MONOTONIC);
	s64 known = offset->sec * NSEC_PER_SEC + offset->nsec;

	if (known < boot - after || known > boot - before)
		*offset = to_offset(boot - after);
}

/* Both lines, and their bases where the coarse clocks are, which @tk has already. */
static void calibrate_counter(struct host_clock *host, struct vdso_timekeeper *tk,
			      struct sample monotonic, const struct sample *raw)
{
	struct sample real = monotonic;
	s64 coarse = tk->real.sec * NSEC_PER_SEC + (s64)tk->real.nsec;

	follow_line(&host->monotonic, &monotonic);
	follow_line(&host->raw, raw);
	real.ns -= tk->wall_to_monotonic.sec * NSEC_PER_SEC + tk->wall_to_monotonic.nsec;
	to_timebase(&tk->real, &host->monotonic, &real);
	to_timebase(&tk->raw, &host->raw, raw);
	host_clock_rebase(&tk->real, coarse);
	tk->counter_khz = (u32)(1e6 / host->raw.slope);
	host->bracket_ns = (u32)((double)monotonic.width * host->monotonic.slope) + 1;
}

void host_calibrate(struct host_clock *host, struct vdso_timekeeper *tk)
{
	struct sample monotonic = take_sample(host, CLOCK_MONOTONIC);
	struct sample raw = take_sample(host, CLOCK_MONOTONIC_RAW);
	s64 coarse_monotonic, coarse = read_coarse(host, &coarse_monotonic);

	read_boot_offset(host);
	*tk = host->base;
	tk->wall_to_monotonic = to_offset(coarse_monotonic - coarse);
	tk->real.sec = coarse / NSEC_PER_SEC;
	tk->real.nsec = (u64)(coarse % NSEC_PER_SEC);
	if (host->counter != VDSO_MODE_SYSCALL)
		calibrate_counter(host, tk, monotonic, &raw);
	host->sequence += coarse_monotonic != host->coarse_ns;
	host->coarse_ns = coarse_monotonic;
}

static void wait_ns(long ns)
{
	struct timespec ts = { .tv_nsec = ns };

	nanosleep(&ts, NULL);
}

int host_calibrate_open(struct host_clock *host, char *why, size_t why_size)
{
	struct sample begin = take_sample(host, CLOCK_MONOTONIC), middle, end;
	struct sample raw = take_sample(host, CLOCK_MONOTONIC_RAW);
	double first, second;

	if (host->counter == VDSO_MODE_SYSCALL)
		return 0;
	begin_line(&host->monotonic, &begin);
	begin_line(&host->raw, &raw);
	wait_ns(CALIBRATE_FIRST_NS / 2);
	middle = take_sample(host, CLOCK_MONOTONIC);
	wait_ns(CALIBRATE_FIRST_NS / 2);
	end = take_sample(host, CLOCK_MONOTONIC);
	raw = take_sample(host, CLOCK_MONOTONIC_RAW);
	first = (double)(middle.ns - begin.ns) / (double)(s64)(middle.cycles - begin.cycles);
	second = (double)(end.ns - middle.ns) / (double)(s64)(end.cycles - middle.cycles);
	if (!(first > 0 && first < CALIBRATE_MAX_SLOPE && second > 0) ||
	    first / second > 1 + CALIBRATE_TOLERANCE || second / first > 1 + CALIBRATE_TOLERANCE) {
		snprintf(why, why_size, "the counter of this machine does not "
			 "advance evenly: only the coarse clocks can be served "
			 "(--clocksource none)");
		return -1;
	}
	follow_line(&host->monotonic, &end);
	follow_line(&host->raw, &raw);
	return 0;
}
