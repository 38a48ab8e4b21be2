// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The simulated machine and the mapping that its vDSO reads.
 */
#include <vdso/entry.h>

struct sim sim;

/* The linker script puts the mapping in front of an image; here it is an array. */
struct vdso_page vdso_pages[ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE / sizeof(struct vdso_page)]
	__aligned(ARCH_VDSO_PAGE_SIZE);
