/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What assembly files of images have in common.
 */
#ifndef VDSO_ASM_H
#define VDSO_ASM_H

/* Around the code of a function that can be exported; unwind entries are its own affair. */
#define VDSO_FUNCTION(name)	.globl name; .type name, %function; name:
#define VDSO_FUNCTION_END(name)	.size name, . - name

/* All of one whose few instructions, semicolons between them, leave the stack alone. */
#define VDSO_LEAF(name, ...) \
	VDSO_FUNCTION(name) .cfi_startproc; __VA_ARGS__; .cfi_endproc; VDSO_FUNCTION_END(name)

/*
 * The note that says what an object keeps to, landing pads for instance ("Program Property"
 * of the ABIs). The compiler writes it for C, and the linker keeps it only if every object
 * has it.
 */
.macro vdso_property type, bits
	.pushsection .note.gnu.property, "a"
#ifdef __LP64__
	.p2align 3
	.long 4, 16, 5		/* sizes of name and description; NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long \type, 4, \bits, 0	/* 4: size of the bits; padded to a word */
#else
	.p2align 2
	.long 4, 12, 5
	.asciz "GNU"
	.long \type, 4, \bits
#endif
	.popsection
.endm

/* No code here wants an executable stack. */
	.pushsection .note.GNU-stack, "", %progbits
	.popsection

#endif /* VDSO_ASM_H */
