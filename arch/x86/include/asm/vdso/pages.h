/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The mapping in front of an image. The linker script reads this: only #defines.
 */
#ifndef ASM_X86_VDSO_PAGES_H
#define ASM_X86_VDSO_PAGES_H

/* Data page, second page, pvclock page, Hyper-V page. */
#define ARCH_VDSO_PAGES		4
#define ARCH_VDSO_PAGE_SIZE	4096
#define VDSO_PVCLOCK_PAGE	2
#define VDSO_HVCLOCK_PAGE	3

#endif /* ASM_X86_VDSO_PAGES_H */
