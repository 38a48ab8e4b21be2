/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * All hooks are those of x86, except that the test answers the system calls.
 */
#ifndef TESTS_X86_SYSCALL_H
#define TESTS_X86_SYSCALL_H

#include_next <asm/vdso/syscall.h>

long test_syscall(long nr, long a, long b, long c);

#undef arch_vdso_syscall
#define arch_vdso_syscall test_syscall

#endif /* TESTS_X86_SYSCALL_H */
