/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The counter of RISC-V: the CSR time, 64 bits wide, the same on all CPUs of the machine.
 */
#ifndef ASM_RISCV_VDSO_COUNTER_H
#define ASM_RISCV_VDSO_COUNTER_H

#include <vdso/layout.h>
#include <vdso/result.h>

/* RDTIME. Where the firmware has to emulate it, records still say so: it is right, but slow. */
#define VDSO_MODE_RDTIME	(VDSO_MODE_ARCH + 0)
#define ARCH_VDSO_COUNTER	COUNTER_RDTIME

/*
 * RISC-V Instruction Set Manual, Volume I, "CSR Access Ordering": reads of CSRs are weakly
 * ordered with memory accesses, time among them; for a FENCE they are device input (I). So
 * the two barriers of a read, behind the load of the sequence counter and in front of the
 * closing one, keep RDTIME between the two loads, and in front of what the caller loads.
 */
#define arch_vdso_read_counter arch_vdso_read_counter
static __always_inline bool arch_vdso_read_counter(u32 mode, struct vdso_cycles *cycles)
{
	u64 count;

	if (unlikely(mode != VDSO_MODE_RDTIME))
		return false;
	__asm__ __volatile__("rdtime %0" : "=r"(count) :: "memory");
	*cycles = vdso_cycles(count);
	return true;
}

#endif /* ASM_RISCV_VDSO_COUNTER_H */
