/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of arm, EABI: SVC #0; number in r7, arguments in r0, r1, r2; result in
 * r0, errors as -1 to -4095. Linux keeps all other registers.
 */
#ifndef ASM_ARM_VDSO_SYSCALL_H
#define ASM_ARM_VDSO_SYSCALL_H

#include <vdso/syscall.h>

#define arch_vdso_syscall arch_vdso_syscall
#if defined(__thumb__) && __STDC_HOSTED__
/* r7 may be the frame pointer of Thumb code: the compiler does not give it away. */
VDSO_SYSCALL_IN_REGISTERS("push {r7}\n\tmov r7, %1\n\tsvc #0\n\tpop {r7}",
			  "ip", "r0", "r1", "r2")
#else
/* Images have no frame pointer, and an unwind entry for r7 if the compiler saves it. */
VDSO_SYSCALL_IN_REGISTERS("svc #0", "r7", "r0", "r1", "r2")
#endif

#endif /* ASM_ARM_VDSO_SYSCALL_H */
