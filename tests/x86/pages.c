// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The mapping that the readers read: the linker script puts it in front of an
 * image, here it is an array.
 */
#include <vdso/entry.h>

struct vdso_page vdso_pages[ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE / sizeof(struct vdso_page)]
	__aligned(ARCH_VDSO_PAGE_SIZE);
