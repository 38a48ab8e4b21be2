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
#include "../../../lib/vdso/asm.h"

/* GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI and PAC. */
vdso_property 0xc0000000, 3

	.text
	.p2align 4
	nop
VDSO_FUNCTION(__kernel_rt_sigreturn)
	mov	x8, #__NR_rt_sigreturn
	svc	#0
VDSO_FUNCTION_END(__kernel_rt_sigreturn)
