/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the reader and an architecture's counters tell each other.
 */
#ifndef VDSO_RESULT_H
#define VDSO_RESULT_H

#include <vdso/types.h>

/**
 * enum vdso_read - how an attempt to read a clock ended
 * @VDSO_READ_DONE:	with a time
 * @VDSO_READ_AGAIN:	the writer interfered: try again
 * @VDSO_READ_SYSCALL:	this clock is not served: make the system call
 */
enum vdso_read {
	VDSO_READ_DONE,
	VDSO_READ_AGAIN,
	VDSO_READ_SYSCALL,
};

/**
 * struct vdso_cycles - a counter value
 * @low:	lower 32 bits
 * @high:	upper 32 bits
 *
 * In halves, because the fast path computes with the lower one, which a CPU may
 * deliver on its own; joining them would lengthen the chain it waits for.
 */
struct vdso_cycles {
	u32	low;
	u32	high;
};

/* A counter value from one number, for counters that are read as one. */
static __always_inline struct vdso_cycles vdso_cycles(u64 value)
{
	return (struct vdso_cycles){ .low = (u32)value, .high = (u32)(value >> 32) };
}

/* The number again. */
static __always_inline u64 vdso_cycles_value(struct vdso_cycles cycles)
{
	return (u64)cycles.high << 32 | cycles.low;
}

/*
 * arch_vdso_counter_zero() by an instruction that computes 0 from a register (%1): for
 * instance its exclusive or with itself. The compiler must not know.
 */
#define VDSO_COUNTER_ZERO_BY(instruction) \
static __always_inline unsigned long arch_vdso_counter_zero(struct vdso_cycles cycles) \
{ \
	unsigned long zero; \
\
	__asm__(instruction : "=r"(zero) : "r"((unsigned long)vdso_cycles_value(cycles))); \
	return zero; \
}

#endif /* VDSO_RESULT_H */
