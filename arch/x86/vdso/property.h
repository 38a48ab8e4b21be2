/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The property note that says that an assembly file keeps to CET: indirect
 * branch tracking and shadow stack (System V ABI, AMD64 supplement, "Program
 * Property"). The linker keeps the note only if every object has it; the compiler
 * writes it for C.
 */
	.pushsection .note.gnu.property, "a"
	.p2align 2
	.long 4			/* name size */
	.long 12		/* description size */
	.long 5			/* NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long 0xc0000002	/* GNU_PROPERTY_X86_FEATURE_1_AND */
	.long 4			/* data size */
	.long 3			/* IBT | SHSTK */
	.popsection
