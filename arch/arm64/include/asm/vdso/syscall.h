/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of arm64: SVC #0; number in x8, arguments in x0, x1, x2; result in
 * x0, errors as -1 to -4095. Linux keeps all other general registers; the upper
 * parts of SVE registers are lost, as in any function call (the kernel's
 * Documentation/arch/arm64/sve.rst; AAPCS64).
 */
#ifndef ASM_ARM64_VDSO_SYSCALL_H
#define ASM_ARM64_VDSO_SYSCALL_H

#include <vdso/types.h>

#define arch_vdso_syscall arch_vdso_syscall
static __always_inline __kernel_long_t arch_vdso_syscall(long nr, long a, long b, long c)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ __volatile__("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}

#define ARCH_VDSO_NAME(x)	__kernel_##x

#endif /* ASM_ARM64_VDSO_SYSCALL_H */
