/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The simulated machine has one CPU: a compiler barrier orders its loads and
 * stores. sim_event() is one, and lets the test act at this very place.
 */
#ifndef ASM_SIM_VDSO_BARRIER_H
#define ASM_SIM_VDSO_BARRIER_H

#include <sim.h>

#define arch_vdso_rmb()		sim_event(SIM_RMB)
#define arch_vdso_wmb()		sim_event(SIM_WMB)
#define arch_vdso_relax()	sim_event(SIM_RELAX)

#endif /* ASM_SIM_VDSO_BARRIER_H */
