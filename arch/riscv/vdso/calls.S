/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Functions that are nothing but a system call. Signal handlers return to
 * __vdso_rt_sigreturn, which unwinders know by the bytes of these two instructions, not
 * compressed, and without an unwind entry: it could not express that ra and the program
 * counter were saved apart. Unwinders look at the address before: the nop has no entry either.
 */
#include <asm/unistd.h>
#include "../../../lib/vdso/asm.h"

	.option norvc
	.text
	.balign 4
	nop
VDSO_FUNCTION(__vdso_rt_sigreturn)
	li a7, __NR_rt_sigreturn
	ecall
VDSO_FUNCTION_END(__vdso_rt_sigreturn)

VDSO_LEAF(__vdso_flush_icache, li a7, __NR_riscv_flush_icache; ecall; ret)
