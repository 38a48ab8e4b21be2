/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Layout of the data page: what the writer fills and every reader reads.
 *
 * 32-bit and 64-bit code share one page, so there are only fixed-size types,
 * the padding is explicit, and every offset is asserted below. A picture and
 * the reasons are in Documentation/data-page.md.
 */
#ifndef VDSO_LAYOUT_H
#define VDSO_LAYOUT_H

#include <vdso/types.h>

/* Raised whenever the meaning or place of a field changes; see Documentation/data-page.md. */
#define VDSO_LAYOUT_VERSION	1

/* Clock ids 0 to 15 are the POSIX and Linux clocks, 16 to 23 are CLOCK_AUX. */
#define VDSO_CLOCKS		24
#define VDSO_AUX_CLOCKS		8

/*
 * How to read a clock. 0 must stay "system call": a record that nobody filled
 * is all zeros. From VDSO_MODE_ARCH on the numbers belong to the architecture's
 * counters (asm/vdso/counter.h).
 */
#define VDSO_MODE_SYSCALL	0u	/* not served: make the system call */
#define VDSO_MODE_COARSE	1u	/* the base itself, nsec in plain ns */
#define VDSO_MODE_TIMENS	2u	/* offset, nsec in plain ns, to the second page's record */
#define VDSO_MODE_ARCH		3u
#define VDSO_MODE_OPEN		0xffffffffu	/* the writer is at work on the record */

/*
 * The short arithmetic takes no larger delta: with it, delta * mult + nsec fits 64
 * bits whatever the slope, for nsec is below a second << 31, which is 0.117 * 2^64.
 */
#define VDSO_MAX_DELTA	0xe0000000u

/**
 * struct vdso_clock - everything that one read of one clock needs: one cache line
 * @seq:	sequence counter, odd while the writer has the record open
 * @mode:	VDSO_MODE_*, or one of the architecture's counters
 * @cycle_last:	counter value that the base belongs to
 * @max_delta:	largest number of cycles since @cycle_last that the short
 *		arithmetic takes: VDSO_MAX_DELTA or what @mask allows
 * @mult:	ns = (cycles * @mult + @nsec) >> @shift
 * @shift:	0 to 31
 * @sec:	base time in seconds, may be negative
 * @nsec:	base time in nanoseconds: << @shift for counters, plain for COARSE
 *		and TIMENS; always below one second
 * @mask:	the bits that the counter has
 * @res:	what clock_getres() answers, in ns; 0: ask the system call
 * @second_delta:	number of cycles since @cycle_last for which the time surely stays
 *		within the second @sec; at most @max_delta
 */
struct vdso_clock {
	u32	seq;
	u32	mode;
	u64	cycle_last;
	u64	max_delta;
	u32	mult;
	u32	shift;
	s64	sec;
	u64	nsec;
	u64	mask;
	u32	res;
	u32	second_delta;
} __aligned(64);

/* How to learn the CPU number without a system call (struct vdso_page.cpu_mode). */
#define VDSO_CPU_SYSCALL	0u

/**
 * struct vdso_page - the data page
 * @clock:		indexed by clock id: the dispatch table
 * @layout_version:	VDSO_LAYOUT_VERSION of whoever filled the page, 0: not filled
 * @counter_khz:	nominal frequency of the counter in kHz, 0: not known
 * @tz_minuteswest:	what gettimeofday() says of the time zone
 * @tz_dsttime:		the same
 * @cpu_mode:		VDSO_CPU_SYSCALL or one of the architecture's ways
 * @cpu_arg:		what that way needs (x86: the segment selector)
 * @seq:		the writer's own: number of the last update
 * @ticks:		the writer's own: not 0: the records are as a tick needs them
 * @steered_bits:	the writer's own: number of bits of CLOCK_REALTIME's mult
 * @raw_bits:		the writer's own: number of bits of CLOCK_MONOTONIC_RAW's mult
 * @last:		the writer's own: a second << CLOCK_REALTIME's shift, less one
 * @steered_max:	the writer's own: the largest number that has @steered_bits bits
 * @reserved:		zero; the page ends with its first 2 KiB in use at most
 */
struct vdso_page {
	struct vdso_clock clock[VDSO_CLOCKS];
	u32	layout_version;
	u32	counter_khz;
	s32	tz_minuteswest;
	s32	tz_dsttime;
	u32	cpu_mode;
	u32	cpu_arg;
	u32	seq;
	u32	ticks;
	u32	steered_bits;
	u32	raw_bits;
	u64	last;
	u32	steered_max;
	u32	reserved[115];
};

#define VDSO_ASSERT_OFFSET(type, field, offset) \
	_Static_assert(__builtin_offsetof(type, field) == (offset), \
		       #type "." #field " has moved: the page layout is ABI")

VDSO_ASSERT_OFFSET(struct vdso_clock, seq, 0);
VDSO_ASSERT_OFFSET(struct vdso_clock, mode, 4);
VDSO_ASSERT_OFFSET(struct vdso_clock, cycle_last, 8);
VDSO_ASSERT_OFFSET(struct vdso_clock, max_delta, 16);
VDSO_ASSERT_OFFSET(struct vdso_clock, mult, 24);
VDSO_ASSERT_OFFSET(struct vdso_clock, shift, 28);
VDSO_ASSERT_OFFSET(struct vdso_clock, sec, 32);
VDSO_ASSERT_OFFSET(struct vdso_clock, nsec, 40);
VDSO_ASSERT_OFFSET(struct vdso_clock, mask, 48);
VDSO_ASSERT_OFFSET(struct vdso_clock, res, 56);
VDSO_ASSERT_OFFSET(struct vdso_clock, second_delta, 60);
_Static_assert(sizeof(struct vdso_clock) == 64, "one record is one cache line");

VDSO_ASSERT_OFFSET(struct vdso_page, clock, 0);
VDSO_ASSERT_OFFSET(struct vdso_page, layout_version, 1536);
VDSO_ASSERT_OFFSET(struct vdso_page, counter_khz, 1540);
VDSO_ASSERT_OFFSET(struct vdso_page, tz_minuteswest, 1544);
VDSO_ASSERT_OFFSET(struct vdso_page, tz_dsttime, 1548);
VDSO_ASSERT_OFFSET(struct vdso_page, cpu_mode, 1552);
VDSO_ASSERT_OFFSET(struct vdso_page, cpu_arg, 1556);
VDSO_ASSERT_OFFSET(struct vdso_page, seq, 1560);
VDSO_ASSERT_OFFSET(struct vdso_page, ticks, 1564);
VDSO_ASSERT_OFFSET(struct vdso_page, steered_bits, 1568);
VDSO_ASSERT_OFFSET(struct vdso_page, raw_bits, 1572);
VDSO_ASSERT_OFFSET(struct vdso_page, last, 1576);
VDSO_ASSERT_OFFSET(struct vdso_page, steered_max, 1584);
VDSO_ASSERT_OFFSET(struct vdso_page, reserved, 1588);
_Static_assert(sizeof(struct vdso_page) == 2048, "the page's used part has a fixed size");

#endif /* VDSO_LAYOUT_H */
