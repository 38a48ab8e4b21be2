/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Where signal handlers return to: the kernel puts this address into x30.
 *
 * Every unwinder and debugger knows a signal frame by these two very instructions,
 * and finds all registers in the frame. There is no unwind entry: one could not
 * express that x30 and the program counter were saved apart. The gap in front
 * keeps unwinders, which look at the address before a return address, from finding
 * the entry of another function.
 *
 * No landing pad: RET needs none.
 */
#include <asm/unistd.h>
#include "property.h"

	.text
	.p2align 4
	nop
	.globl __kernel_rt_sigreturn
	.type __kernel_rt_sigreturn, @function
__kernel_rt_sigreturn:
	mov	x8, #__NR_rt_sigreturn
	svc	#0
	.size __kernel_rt_sigreturn, . - __kernel_rt_sigreturn

	.section .note.GNU-stack, "", @progbits
