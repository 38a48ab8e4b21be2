/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The 32-bit image of a 64-bit kernel sees the kernel's headers as a 32-bit kernel
 * would. Newer kernels have a header of this name and purpose; Linux 6.1 does it
 * inside of the reader that ours replaces.
 */
#define BUILD_VDSO32

#ifdef CONFIG_X86_64
#undef CONFIG_64BIT
#undef CONFIG_X86_64
#undef CONFIG_COMPAT
#undef CONFIG_PARAVIRT_XXL

#define CONFIG_X86_32		1
#define BUILD_VDSO32_64
#endif
