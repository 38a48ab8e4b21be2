/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Sizes of what the kernel has and its vDSO has not; headers want to know them. */
#define NR_PAGEFLAGS		24
#define MAX_NR_ZONES		4
#define NR_CPUS_BITS		6
#define SPINLOCK_SIZE		4
#define LRU_GEN_WIDTH		0
#define __LRU_REFS_WIDTH	0
