/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * RISC-V Instruction Set Manual, Volume I, "RVWMO Memory Consistency Model": without a fence,
 * loads may pass loads and stores may pass stores. FENCE orders what its predecessor set names
 * before what its successor set names ("Memory Ordering Instructions"). Device input (I) is
 * there for the counter's sake: see counter.h.
 */
#ifndef ASM_RISCV_VDSO_BARRIER_H
#define ASM_RISCV_VDSO_BARRIER_H

#include <vdso/types.h>

#define arch_vdso_rmb()	__asm__ __volatile__("fence ir, ir" ::: "memory")
#define arch_vdso_wmb()	__asm__ __volatile__("fence w, w" ::: "memory")

#endif /* ASM_RISCV_VDSO_BARRIER_H */
