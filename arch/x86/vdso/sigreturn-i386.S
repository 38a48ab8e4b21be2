/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Where signal handlers of 32-bit programs return to. The kernel puts the
 * address of one of these on the stack as the handler's return address.
 *
 * Debuggers know a signal frame by the exact bytes of these instructions, and
 * unwinders by the unwind table, which describes where the kernel saved the
 * interrupted registers: at fixed places of the signal frame, in a struct sigcontext.
 */
#include <asm/unistd.h>
#include "../../../lib/vdso/asm.h"

/* GNU_PROPERTY_X86_FEATURE_1_AND: IBT and SHSTK, the two of CET. */
vdso_property 0xc0000002, 3

/* DWARF register numbers and offsets in the UAPI's 32-bit struct sigcontext. */
#define DW_EAX	0
#define DW_ECX	1
#define DW_EDX	2
#define DW_EBX	3
#define DW_EBP	5
#define DW_ESI	6
#define DW_EDI	7
#define DW_EIP	8
#define SC_EDI	16
#define SC_ESI	20
#define SC_EBP	24
#define SC_ESP	28
#define SC_EBX	32
#define SC_EDX	36
#define SC_ECX	40
#define SC_EAX	44
#define SC_EIP	56

/*
 * struct sigframe:    return address, signal number, sigcontext
 * struct rt_sigframe: return address, signal number, two pointers,
 *                     siginfo (128 bytes), ucontext with the sigcontext at 20
 * The return address is off the stack when we get here.
 */
#define SIGFRAME_SC	4
#define RT_SIGFRAME_SC	(4 + 8 + 128 + 20)

/* DW_OP_breg4 (esp) with a two-byte SLEB128 offset. */
#define ESP_PLUS(offset)	0x74, ((offset) & 0x7f) | 0x80, ((offset) >> 7)

/* Register @reg is saved at esp + @offset: DW_CFA_expression. */
.macro saved reg, offset
	.cfi_escape 0x10, \reg, 3, ESP_PLUS(\offset)
.endm

/* All registers, for a sigcontext at esp + @sc. */
.macro saved_all sc
	/* The caller's esp, which is the CFA, is itself saved: DW_CFA_def_cfa_expression. */
	.cfi_escape 0x0f, 4, ESP_PLUS(\sc + SC_ESP), 0x06
	saved DW_EAX, (\sc + SC_EAX)
	saved DW_ECX, (\sc + SC_ECX)
	saved DW_EDX, (\sc + SC_EDX)
	saved DW_EBX, (\sc + SC_EBX)
	saved DW_EBP, (\sc + SC_EBP)
	saved DW_ESI, (\sc + SC_ESI)
	saved DW_EDI, (\sc + SC_EDI)
	saved DW_EIP, (\sc + SC_EIP)
.endm

	.text
	/* Unwinders that look up the address before a return address must find the right entry. */
	.p2align 4
	.cfi_startproc simple
	.cfi_signal_frame
	saved_all SIGFRAME_SC
	nop
VDSO_FUNCTION(__kernel_sigreturn)
	popl	%eax
	saved_all (SIGFRAME_SC - 4)
	movl	$__NR_sigreturn, %eax
	int	$0x80
VDSO_FUNCTION_END(__kernel_sigreturn)
	.cfi_endproc

	.p2align 4
	.cfi_startproc simple
	.cfi_signal_frame
	saved_all (RT_SIGFRAME_SC)
	nop
VDSO_FUNCTION(__kernel_rt_sigreturn)
	movl	$__NR_rt_sigreturn, %eax
	int	$0x80
VDSO_FUNCTION_END(__kernel_rt_sigreturn)
	.cfi_endproc
