/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The system call as most CPUs make it: number and arguments in registers that the
 * compiler knows by name, the result where the first argument was, a value or a negative
 * errno, and no other register lost.
 */
#ifndef VDSO_SYSCALL_H
#define VDSO_SYSCALL_H

#include <vdso/types.h>

/* arch_vdso_syscall(), from the instruction and the names of the four registers. */
#define VDSO_SYSCALL_IN_REGISTERS(instruction, number, first, second, third) \
static __always_inline __kernel_long_t arch_vdso_syscall(long nr, long a, long b, long c) \
{ \
	register long reg_nr __asm__(number) = nr; \
	register long reg_a __asm__(first) = a; \
	register long reg_b __asm__(second) = b; \
	register long reg_c __asm__(third) = c; \
\
	__asm__ __volatile__(instruction \
			     : "+r"(reg_a) : "r"(reg_nr), "r"(reg_b), "r"(reg_c) : "memory"); \
	return reg_a; \
}

#endif /* VDSO_SYSCALL_H */
