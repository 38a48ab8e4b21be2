/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * x86 does not reorder loads with loads nor stores with stores (Intel SDM
 * volume 3, "Memory Ordering in P6 and More Recent Processor Families"; AMD APM
 * volume 2, "Memory Access Ordering"): only the compiler has to be held back.
 */
#ifndef ASM_X86_VDSO_BARRIER_H
#define ASM_X86_VDSO_BARRIER_H

#include <vdso/types.h>

#define arch_vdso_rmb()	barrier()
#define arch_vdso_wmb()	barrier()

/* PAUSE: Intel SDM volume 2, "improves the performance of spin-wait loops". */
#define arch_vdso_relax arch_vdso_relax
static __always_inline void arch_vdso_relax(void)
{
	__asm__ __volatile__("pause" ::: "memory");
}

#endif /* ASM_X86_VDSO_BARRIER_H */
