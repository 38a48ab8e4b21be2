/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of arm64: SVC #0; number in x8, arguments in x0, x1, x2; result in
 * x0, errors as -1 to -4095. Linux keeps all other general registers; the upper
 * parts of SVE registers are lost, as in any function call (the kernel's
 * Documentation/arch/arm64/sve.rst; AAPCS64).
 */
#ifndef ASM_ARM64_VDSO_SYSCALL_H
#define ASM_ARM64_VDSO_SYSCALL_H

#include <vdso/syscall.h>

#define arch_vdso_syscall arch_vdso_syscall
VDSO_SYSCALL_IN_REGISTERS("svc #0", "x8", "x0", "x1", "x2")

#define ARCH_VDSO_NAME(x)	__kernel_##x

#endif /* ASM_ARM64_VDSO_SYSCALL_H */
