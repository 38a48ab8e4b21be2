/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What orders memory on ARMv7 and, in 32-bit state, on ARMv8: Arm ARM (DDI 0406,
 * "Memory barriers"; DDI 0487, "The AArch32 Application Level Memory Model"). All
 * CPUs that share the page are in one inner shareable domain.
 */
#ifndef ASM_ARM_VDSO_BARRIER_H
#define ASM_ARM_VDSO_BARRIER_H

#include <vdso/types.h>

/* ARMv8 has a DMB that only loads before it are ordered by. */
#if defined(__ARM_ARCH) && __ARM_ARCH >= 8	/* sparse does not know it */
#define arch_vdso_rmb()		__asm__ __volatile__("dmb ishld" ::: "memory")
#else
#define arch_vdso_rmb()		__asm__ __volatile__("dmb ish" ::: "memory")
#endif

/* LDA on ARMv8: loads and stores after it in program order are done after it; else LDR and DMB. */
#define arch_vdso_load_acquire(word)	__atomic_load_n(word, __ATOMIC_ACQUIRE)

#define arch_vdso_wmb()		__asm__ __volatile__("dmb ishst" ::: "memory")
#define arch_vdso_relax()	__asm__ __volatile__("yield" ::: "memory")

#endif /* ASM_ARM_VDSO_BARRIER_H */
