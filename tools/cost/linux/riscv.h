/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What decides over Linux's vDSO, as riscv64's defconfig has it. */
#define CONFIG_RISCV		1
#define CONFIG_64BIT		1
#define CONFIG_SMP		1
#define CONFIG_MMU		1
#define CONFIG_HZ		250
#define CONFIG_PAGE_SHIFT	12
#define CONFIG_PGTABLE_LEVELS	5
#define CONFIG_GENERIC_TIME_VSYSCALL	1
#define CONFIG_GENERIC_GETTIMEOFDAY	1
#define CONFIG_TIME_NS		1

/* Compilers do without the name of the instructions for CSRs, GNU's assembler does not. */
#ifndef __clang__
__asm__(".option arch, +zicsr");
#endif
