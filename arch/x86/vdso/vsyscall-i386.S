/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * __kernel_vsyscall: a system call with the registers of INT 0x80, called through
 * AT_SYSINFO. INT 0x80 works on every CPU and needs no return address known to
 * the kernel. All registers but eax are kept.
 */
#include "../../../lib/vdso/asm.h"

/* GNU_PROPERTY_X86_FEATURE_1_AND: IBT and SHSTK, the two of CET. */
vdso_property 0xc0000002, 3

	.text
	.p2align 4
VDSO_FUNCTION(__kernel_vsyscall)
	.cfi_startproc
	endbr32
	int	$0x80
	ret
	.cfi_endproc
VDSO_FUNCTION_END(__kernel_vsyscall)
