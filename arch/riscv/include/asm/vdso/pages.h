/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The mapping in front of an image: the data page and the second page.
 */
#ifndef ASM_RISCV_VDSO_PAGES_H
#define ASM_RISCV_VDSO_PAGES_H

#define ARCH_VDSO_PAGES		2
#define ARCH_VDSO_PAGE_SIZE	4096

#endif /* ASM_RISCV_VDSO_PAGES_H */
