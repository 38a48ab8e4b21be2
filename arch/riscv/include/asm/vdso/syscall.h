/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of RISC-V Linux: ECALL with the number in a7, arguments in a0 to a5. The
 * result is in a0, a value or a negative errno; the kernel keeps all other registers
 * (syscall(2), "Architecture calling conventions").
 */
#ifndef ASM_RISCV_VDSO_SYSCALL_H
#define ASM_RISCV_VDSO_SYSCALL_H

#include <vdso/syscall.h>

#define arch_vdso_syscall arch_vdso_syscall
VDSO_SYSCALL_IN_REGISTERS("ecall", "a7", "a0", "a1", "a2")

#endif /* ASM_RISCV_VDSO_SYSCALL_H */
