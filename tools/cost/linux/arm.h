/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What decides over Linux's vDSO, for an ARMv7 kernel. There are no time namespaces on arm. */
#define CONFIG_ARM		1
#define CONFIG_32BIT		1
#define CONFIG_SMP		1
#define CONFIG_MMU		1
#define CONFIG_AEABI		1
#define CONFIG_HZ		250
#define CONFIG_CPU_V7		1
#define CONFIG_CPU_32v7		1
#define CONFIG_CPU_CP15		1
#define CONFIG_CPU_CP15_MMU	1
#define CONFIG_ARM_L1_CACHE_SHIFT	6
#define CONFIG_PAGE_SHIFT	12
#define CONFIG_PAGE_OFFSET	0xc0000000
#define CONFIG_PGTABLE_LEVELS	2
#define CONFIG_GENERIC_TIME_VSYSCALL	1
#define CONFIG_GENERIC_GETTIMEOFDAY	1
#define CONFIG_VDSO		1
#define CONFIG_ARM_ARCH_TIMER	1
