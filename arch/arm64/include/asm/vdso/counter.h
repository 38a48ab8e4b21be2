/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The virtual counter of the architected timer (Arm ARM, DDI 0487, "The Generic
 * Timer in AArch64 state"). It has 56 bits or more, zeros above.
 */
#ifndef ASM_ARM64_VDSO_COUNTER_H
#define ASM_ARM64_VDSO_COUNTER_H

#include <vdso/layout.h>
#include <vdso/result.h>

#define VDSO_MODE_CNTVCT	(VDSO_MODE_ARCH + 0)	/* isb; mrs cntvct_el0 */
#define VDSO_MODE_CNTVCTSS	(VDSO_MODE_ARCH + 1)	/* mrs cntvctss_el0: FEAT_ECV */
/* As CNTVCT, on CPUs whose erratum forbids AArch32 programs to read it (Cortex-A76's 1418040). */
#define VDSO_MODE_CNTVCT_NOCOMPAT	(VDSO_MODE_ARCH + 2)

#define arm64_read_counter(before, name) ({ \
	u64 count_; \
	__asm__ __volatile__(before "mrs %0, " name : "=r"(count_) :: "memory"); \
	count_; \
})

/*
 * CNTVCT_EL0 may be read speculatively and out of order. To read it after a load,
 * a branch has to depend on the load and an ISB to follow the branch ("The
 * virtual counter" of that chapter, with this very sequence as its example). The
 * branch is that on the mode.
 *
 * CNTVCTSS_EL0 is the same counter, read in program order and not before the
 * instruction is known to be executed (its description in "AArch64 System
 * Registers"): the branch alone orders it. By number, for old assemblers.
 */
#define arch_vdso_read_counter arch_vdso_read_counter
static __always_inline bool arch_vdso_read_counter(u32 mode, struct vdso_cycles *cycles)
{
	u64 count;

	if (likely(mode == VDSO_MODE_CNTVCT))
		count = arm64_read_counter("isb\n\t", "cntvct_el0");
	else if (mode == VDSO_MODE_CNTVCTSS)
		count = arm64_read_counter("", "s3_3_c14_c0_6");
	else if (mode == VDSO_MODE_CNTVCT_NOCOMPAT)
		count = arm64_read_counter("isb\n\t", "cntvct_el0");
	else
		return false;
	*cycles = vdso_cycles(count);
	return true;
}

/*
 * No barrier orders a counter read before a load, short of another ISB. But a load
 * whose address is computed from the counter's value has to wait for it: an address
 * dependency holds even if the value does not matter (Arm ARM, "Dependency
 * relations"). DMB ISHLD behind that load makes all later ones wait.
 */
#define arch_vdso_counter_zero arch_vdso_counter_zero
VDSO_COUNTER_ZERO_BY("eor %0, %1, %1")

#define ARCH_VDSO_COUNTER	COUNTER_CNTVCT
#define ARCH_VDSO_PROGRAM_MODES	3

#endif /* ASM_ARM64_VDSO_COUNTER_H */
