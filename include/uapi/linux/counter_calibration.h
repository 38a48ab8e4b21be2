/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Counter calibration: turning raw counter values into nanoseconds in the
 * program itself, at the cost of reading the counter.
 *
 * A vDSO function fills the structure below with a consistent snapshot:
 * __kernel_counter_calibration on arm64, elsewhere __vdso_counter_calibration. Get it
 * once, convert as many counter values as you like, get it again before it grows too
 * old for the error you can bear.
 *
 *	struct counter_calibration cal;
 *	int err = get_calibration(&cal);
 *
 *	if (err)
 *		errx(1, "%s", counter_calibration_error(err));
 *	ns = counter_clock_ns(&cal.monotonic, counter_read());
 *
 * Documentation/calibration.md tells the rest.
 */
#ifndef LINUX_COUNTER_CALIBRATION_H
#define LINUX_COUNTER_CALIBRATION_H

#include <linux/types.h>

/* Which counter a calibration is for. */
#define COUNTER_TSC		1	/* x86: rdtsc */
#define COUNTER_CNTVCT		2	/* arm64 and arm: the virtual counter, CNTVCT */
#define COUNTER_RDTIME		3	/* riscv: the CSR time */

/* What the function returns, besides 0. */
#define COUNTER_CALIBRATION_NO_COUNTER	(-19)	/* -ENODEV */
#define COUNTER_CALIBRATION_BUSY	(-11)	/* -EAGAIN */

/**
 * struct counter_clock - one clock as a line through counter values
 * @cycle_last:		counter value that the base belongs to
 * @base_ns:		the clock's time then, in ns
 * @offset:		what lies below one ns then, << @shift, less
 *			@cycle_last * @mult, modulo 2^64
 * @max_delta:		largest distance from @cycle_last, in cycles, that
 *			counter_clock_ns() can convert
 * @valid_cycles:	distance from @cycle_last, in cycles, up to which the result
 *			is within @error_ns of what clock_gettime() says
 * @mult:		ns = @base_ns + ((cycles * @mult + @offset) >> @shift), where
 *			the sum is modulo 2^64 and then taken as signed
 * @shift:		0 to 31
 * @error_ns:		the stated error; see @valid_cycles
 * @reserved:		zero
 *
 * CLOCK_MONOTONIC is steered: NTP changes its frequency by at most 500 ppm
 * to either side of nominal, so a snapshot may be off by 1000 ns for each
 * millisecond of age at the very worst, and hardly ever is. CLOCK_MONOTONIC_RAW keeps its slope.
 */
struct counter_clock {
	__aligned_u64	cycle_last;
	__aligned_u64	base_ns;
	__aligned_u64	offset;
	__aligned_u64	max_delta;
	__aligned_u64	valid_cycles;
	__u32		mult;
	__u32		shift;
	__u32		error_ns;
	__u32		reserved;
};

/**
 * struct counter_calibration - a consistent snapshot of the counter's calibration
 * @counter:	COUNTER_*
 * @khz:	nominal frequency in kHz
 * @mask:	the bits that the counter has; see counter_unwrap()
 * @monotonic:	CLOCK_MONOTONIC, as the calling process sees it
 * @raw:	CLOCK_MONOTONIC_RAW, likewise
 */
struct counter_calibration {
	__u32			counter;
	__u32			khz;
	__aligned_u64		mask;
	struct counter_clock	monotonic;
	struct counter_clock	raw;
};

/* One more name on x86: int __vdso_linux_tsc_calibration(struct linux_tsc_calibration *). */
#define linux_tsc_calibration	counter_calibration

typedef int (*counter_calibration_fn)(struct counter_calibration *);

/**
 * counter_calibration_error() - what a result means
 * @result:	what the vDSO function returned
 *
 * Return: a sentence for people.
 */
static inline const char *counter_calibration_error(int result)
{
	switch (result) {
	case 0:
		return "calibrated";
	case COUNTER_CALIBRATION_NO_COUNTER:
		return "the kernel's clock source is not a counter that programs can read";
	case COUNTER_CALIBRATION_BUSY:
		return "the kernel was updating the clocks, try again";
	}
	return "unknown result";
}

/**
 * counter_clock_ns() - the time of a clock at a counter value
 * @clock:	from a calibration
 * @cycles:	counter value, at most @clock->max_delta before or after @clock->cycle_last
 *
 * Return: ns since the clock's zero.
 */
static inline __u64 counter_clock_ns(const struct counter_clock *clock, __u64 cycles)
{
	/*
	 * cycle_last * mult is taken off in offset already: that saves a subtraction.
	 * Signed, so that counter values from before the snapshot convert as well.
	 */
	return clock->base_ns +
	       (__u64)((__s64)(cycles * clock->mult + clock->offset) >> clock->shift);
}

/**
 * counter_unwrap() - a counter value as counter_clock_ns() takes it
 * @cal:	a calibration
 * @clock:	one of its clocks
 * @cycles:	counter value, at most half of @cal->mask before or after @clock->cycle_last
 *
 * For whoever wants to be right even while a counter of fewer than 64 bits wraps. The
 * architected timer of ARM does not within 40 years.
 *
 * Return: what the counter would say if it had 64 bits.
 */
static inline __u64 counter_unwrap(const struct counter_calibration *cal,
				   const struct counter_clock *clock, __u64 cycles)
{
	__u64 delta = (cycles - clock->cycle_last) & cal->mask;

	if (delta > cal->mask >> 1)
		delta |= ~cal->mask;
	return clock->cycle_last + delta;
}

/*
 * How to read the counter, one architecture after the other: the instruction, what
 * keeps it behind the loads before it, and into which two registers, unless one holds it.
 */
#if defined(__x86_64__) || defined(__i386__)
/* Intel SDM volume 2, RDTSC: LFENCE before it orders it after all prior loads. */
#define COUNTER_INSN	"rdtsc"
#define COUNTER_FENCE	"lfence\n\t"
#define COUNTER_HALVES(low, high)	"=a"(low), "=d"(high)
#elif defined(__aarch64__)
/* Arm ARM (DDI 0487): DSB waits for loads before it; nothing after ISB comes before it. */
#define COUNTER_INSN	"mrs %0, cntvct_el0"
#define COUNTER_FENCE	"dsb ishld\n\tisb\n\t"
#elif defined(__arm__) && defined(__ARM_ARCH) && __ARM_ARCH >= 7
/* Arm ARM (DDI 0406): the same. */
#define COUNTER_INSN	"mrrc p15, 1, %0, %1, c14"
#define COUNTER_FENCE	"dsb ish\n\tisb\n\t"
#define COUNTER_HALVES(low, high)	"=r"(low), "=r"(high)
#elif defined(__riscv) && __riscv_xlen == 64
/* RISC-V ISA Manual, "CSR Access Ordering": for a FENCE, RDTIME is device input. */
#define COUNTER_INSN	"rdtime %0"
#define COUNTER_FENCE	"fence r, i\n\t"
#endif

#ifdef COUNTER_INSN
/*
 * Both may be called where a calibration says that there is this counter: on some CPUs
 * they are illegal instructions.
 *
 * counter_read() - the counter now, cheapest
 *
 * The CPU may read it earlier or later than the code around it says.
 */
static inline __u64 counter_read(void)
{
#ifdef COUNTER_HALVES
	__u32 low, high;

	__asm__ __volatile__(COUNTER_INSN : COUNTER_HALVES(low, high));
	return (__u64)high << 32 | low;
#else
	__u64 count;

	__asm__ __volatile__(COUNTER_INSN : "=r"(count));
	return count;
#endif
}

/*
 * counter_read_ordered() - the counter now, after everything that precedes
 *
 * Read when all loads before it are done and, on x86, all other instructions too.
 */
static inline __u64 counter_read_ordered(void)
{
#ifdef COUNTER_HALVES
	__u32 low, high;

	__asm__ __volatile__(COUNTER_FENCE COUNTER_INSN : COUNTER_HALVES(low, high) :: "memory");
	return (__u64)high << 32 | low;
#else
	__u64 count;

	__asm__ __volatile__(COUNTER_FENCE COUNTER_INSN : "=r"(count) :: "memory");
	return count;
#endif
}
#endif

#undef COUNTER_INSN
#undef COUNTER_FENCE
#undef COUNTER_HALVES

#endif /* LINUX_COUNTER_CALIBRATION_H */
