/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The property note that says that an assembly file keeps to branch target
 * identification and pointer authentication (ELF for the Arm 64-bit Architecture,
 * "Program Property"). The linker keeps the note only if every object has it; the
 * compiler writes it for C.
 */
	.pushsection .note.gnu.property, "a"
	.p2align 3
	.long 4			/* name size */
	.long 16		/* description size */
	.long 5			/* NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long 0xc0000000	/* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
	.long 4			/* data size */
	.long 3			/* BTI | PAC */
	.long 0			/* padding */
	.popsection
