/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * __kernel_vsyscall: a system call with the registers of INT 0x80, called through
 * AT_SYSINFO. INT 0x80 works on every CPU and needs no return address known to
 * the kernel. All registers but eax are kept.
 */
#include "property.h"

	.text
	.globl __kernel_vsyscall
	.type __kernel_vsyscall, @function
	.p2align 4
__kernel_vsyscall:
	.cfi_startproc
	endbr32
	int	$0x80
	ret
	.cfi_endproc
	.size __kernel_vsyscall, . - __kernel_vsyscall

	.section .note.GNU-stack, "", @progbits
