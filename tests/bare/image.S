/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The image under test as a part of the program, behind its pages as a kernel maps it.
 */
#include <asm/vdso/pages.h>

	.section .data.image, "aw"
	.balign	ARCH_VDSO_PAGE_SIZE
	.globl	bare_pages, bare_image, bare_image_end
bare_pages:
	.space	ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE
bare_image:
	.incbin	"vdso.so"
	.balign	ARCH_VDSO_PAGE_SIZE
bare_image_end:

	.section .note.GNU-stack, ""
