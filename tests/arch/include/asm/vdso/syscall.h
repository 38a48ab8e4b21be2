/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of the simulated machine: recorded, for the test to look at.
 */
#ifndef ASM_SIM_VDSO_SYSCALL_H
#define ASM_SIM_VDSO_SYSCALL_H

#include <vdso/layout.h>
#include <sim.h>

#define arch_vdso_syscall arch_vdso_syscall
static __always_inline long arch_vdso_syscall(long nr, long a, long b, long c)
{
	sim.calls++;
	sim.call = (struct sim_call){ nr, a, b, c };
	return sim.result;
}

/* cpu_arg is the node of every CPU. */
#define VDSO_CPU_SIM	1u

#define arch_vdso_getcpu arch_vdso_getcpu
static __always_inline bool
arch_vdso_getcpu(const struct vdso_page *page, u32 *cpu, u32 *node)
{
	if (page->cpu_mode != VDSO_CPU_SIM)
		return false;
	*cpu = sim.cpu;
	*node = page->cpu_arg;
	return true;
}

#endif /* ASM_SIM_VDSO_SYSCALL_H */
