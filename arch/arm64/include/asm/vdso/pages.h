/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The mapping in front of an image. The linker script reads this: only #defines.
 */
#ifndef ASM_ARM64_VDSO_PAGES_H
#define ASM_ARM64_VDSO_PAGES_H

#define ARCH_VDSO_PAGES		2
/* As large as the kernel's pages. */
#define ARCH_VDSO_PAGE_SIZE	(1 << CONFIG_VDSO_ARM64_PAGE_SHIFT)

#endif /* ASM_ARM64_VDSO_PAGES_H */
