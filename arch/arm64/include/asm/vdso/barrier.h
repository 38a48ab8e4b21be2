/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What orders memory on ARMv8: Arm ARM (DDI 0487), "The AArch64 Application Level
 * Memory Model", "Memory barriers" and "Load-Acquire, Load-AcquirePC, and
 * Store-Release". All CPUs that share the page are in one inner shareable domain.
 */
#ifndef ASM_ARM64_VDSO_BARRIER_H
#define ASM_ARM64_VDSO_BARRIER_H

#include <vdso/types.h>

/* ISHLD: loads before it are done before loads and stores after it; ISHST: stores before stores. */
#define arch_vdso_rmb()		__asm__ __volatile__("dmb ishld" ::: "memory")
#define arch_vdso_wmb()		__asm__ __volatile__("dmb ishst" ::: "memory")
#define arch_vdso_relax()	__asm__ __volatile__("yield" ::: "memory")

/* LDAR: loads and stores after it in program order are done after it. */
#define arch_vdso_load_acquire(word)	__atomic_load_n(word, __ATOMIC_ACQUIRE)

#endif /* ASM_ARM64_VDSO_BARRIER_H */
