/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The virtual counter of the architected timer in 32-bit state (Arm ARM, DDI 0406,
 * "The Generic Timer"; DDI 0487, "The Generic Timer in AArch32 state"). It has 56
 * bits or more, zeros above. CPUs without it have records of mode SYSCALL.
 */
#ifndef ASM_ARM_VDSO_COUNTER_H
#define ASM_ARM_VDSO_COUNTER_H

#include <vdso/layout.h>
#include <vdso/result.h>

/* The same numbers as on arm64, whose kernel fills the page for 32-bit programs too. */
#define VDSO_MODE_CNTVCT	(VDSO_MODE_ARCH + 0)	/* isb; mrrc CNTVCT */
#define VDSO_MODE_CNTVCTSS	(VDSO_MODE_ARCH + 1)	/* mrrc CNTVCTSS: FEAT_ECV */

/* @number: of the register among those of coprocessor 15 */
#define arm_read_counter(before, number) ({ \
	struct vdso_cycles count_; \
	__asm__ __volatile__(before "mrrc p15, " number ", %0, %1, c14" \
			     : "=r"(count_.low), "=r"(count_.high) :: "memory"); \
	count_; \
})

/*
 * CNTVCT may be read speculatively and out of order. To read it after a load, a
 * branch has to depend on the load and an ISB to follow the branch ("The virtual
 * counter" of that chapter). The branch is that on the mode.
 *
 * CNTVCTSS is the same counter, read in program order and not before the instruction
 * is known to be executed (its description in "AArch32 System Registers"): the branch
 * alone orders it.
 */
#define arch_vdso_read_counter arch_vdso_read_counter
static __always_inline bool arch_vdso_read_counter(u32 mode, struct vdso_cycles *cycles)
{
	if (likely(mode == VDSO_MODE_CNTVCT))
		*cycles = arm_read_counter("isb\n\t", "1");
	else if (mode == VDSO_MODE_CNTVCTSS)
		*cycles = arm_read_counter("", "9");
	else
		return false;
	return true;
}

/*
 * No barrier orders a counter read before a load, short of another ISB. But a load
 * whose address is computed from the counter's value has to wait for it: an address
 * dependency holds even if the value does not matter (Arm ARM, DDI 0406, "Address
 * dependencies"; DDI 0487, "Dependency relations"). DMB behind that load makes all later
 * ones wait.
 */
#define arch_vdso_counter_zero arch_vdso_counter_zero
VDSO_COUNTER_ZERO_BY("eor %0, %1, %1")

/*
 * UMLAL multiplies two words and adds the product to two more. The shift in halves:
 * shifting 64 bits takes compilers six instructions, as the number might be above 31.
 */
#define arch_vdso_scale arch_vdso_scale
static __always_inline unsigned long arch_vdso_scale(u64 delta, u32 mult, u64 nsec, u32 shift)
{
	__asm__("umlal %Q0, %R0, %1, %2" : "+r"(nsec) : "r"((u32)delta), "r"(mult));
	return (u32)nsec >> shift | (u32)(nsec >> 32) << 1 << (31 - shift);
}

/* An arm64 kernel has one more mode, in which these programs must not read the counter. */
#define ARCH_VDSO_COUNTER	COUNTER_CNTVCT
#define ARCH_VDSO_PROGRAM_MODES	2

#endif /* ASM_ARM_VDSO_COUNTER_H */
