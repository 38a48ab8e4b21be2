/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The mapping in front of an image. The linker script reads this: only #defines.
 */
#ifndef ASM_ARM_VDSO_PAGES_H
#define ASM_ARM_VDSO_PAGES_H

#define ARCH_VDSO_PAGES		2
/* Under an arm64 kernel as large as that kernel's pages (arch/arm64/vdso/abi.mk). */
#ifdef VDSO_ARM64_COMPAT
#define ARCH_VDSO_PAGE_SIZE	(1 << CONFIG_VDSO_ARM64_PAGE_SHIFT)
#else
#define ARCH_VDSO_PAGE_SIZE	4096
#endif

/* Unwind tables are those of the ABI of this architecture. */
#define ARCH_VDSO_EXIDX

/* Gaps between functions: what the linker would take is a branch in Thumb code. */
#define ARCH_VDSO_FILL		=0

#endif /* ASM_ARM_VDSO_PAGES_H */
