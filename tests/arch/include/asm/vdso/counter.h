/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The counters of the simulated machine: one that is a plain number, and one that
 * takes a protocol, as the clocks of hypervisors do.
 */
#ifndef ASM_SIM_VDSO_COUNTER_H
#define ASM_SIM_VDSO_COUNTER_H

#include <vdso/layout.h>
#include <vdso/result.h>
#include <sim.h>

#define VDSO_MODE_SIM		(VDSO_MODE_ARCH + 0)
#define VDSO_MODE_SIM_COMPLEX	(VDSO_MODE_ARCH + 1)

#define arch_vdso_read_counter arch_vdso_read_counter
static __always_inline bool arch_vdso_read_counter(u32 mode, struct vdso_cycles *cycles)
{
	if (mode != VDSO_MODE_SIM)
		return false;
	sim_event(SIM_COUNTER);
	*cycles = vdso_cycles(sim.counter);
	return true;
}

#define arch_vdso_read_complex arch_vdso_read_complex
static __always_inline enum vdso_read
arch_vdso_read_complex(u32 mode, const struct vdso_page *page, u64 *cycles)
{
	if (mode != VDSO_MODE_SIM_COMPLEX)
		return VDSO_READ_SYSCALL;
	sim_event(SIM_COUNTER);
	*cycles = sim.counter;
	return sim.complex;
}

/* The complex counter is of no use to a program that reads the plain one. */
#define ARCH_VDSO_COUNTER	COUNTER_SIM

#endif /* ASM_SIM_VDSO_COUNTER_H */
