/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of arm, EABI: SVC #0; number in r7, arguments in r0, r1, r2; result in
 * r0, errors as -1 to -4095. Linux keeps all other registers.
 */
#ifndef ASM_ARM_VDSO_SYSCALL_H
#define ASM_ARM_VDSO_SYSCALL_H

#include <vdso/types.h>

#define arch_vdso_syscall arch_vdso_syscall
static __always_inline __kernel_long_t arch_vdso_syscall(long nr, long a, long b, long c)
{
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;

#if defined(__thumb__) && __STDC_HOSTED__
	/* r7 may be the frame pointer, which the compiler does not give away. */
	__asm__ __volatile__("mov ip, r7\n\tmov r7, %1\n\tsvc #0\n\tmov r7, ip"
			     : "+r"(r0) : "r"(nr), "r"(r1), "r"(r2) : "ip", "memory");
#else
	/* Images have no frame pointer, and an unwind entry for r7 if the compiler saves it. */
	register long r7 __asm__("r7") = nr;

	__asm__ __volatile__("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
#endif
	return r0;
}

#endif /* ASM_ARM_VDSO_SYSCALL_H */
