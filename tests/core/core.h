/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The core as the tests see it: the functions that an image exports, on pages
 * that belong to the test.
 */
#ifndef TESTS_CORE_H
#define TESTS_CORE_H

#include <string.h>
#include <vdso/seq.h>
#include <vdso/entry.h>
#include <vdso/update.h>
#include <linux/counter_calibration.h>
#include "property.h"

int __vdso_clock_gettime(__kernel_clockid_t id, void *ts);
int __vdso_clock_getres(__kernel_clockid_t id, void *ts);
int __vdso_gettimeofday(__kernel_long_t *tv, s32 *tz);
int __vdso_getcpu(u32 *cpu, u32 *node, void *unused);
int __vdso_counter_calibration(struct counter_calibration *cal);
#ifdef __NR_clock_gettime64
int __vdso_clock_gettime64(__kernel_clockid_t id, void *ts);
int __vdso_clock_getres_time64(__kernel_clockid_t id, void *ts);
#endif
#ifdef __NR_time
__kernel_long_t __vdso_time(__kernel_long_t *out);
#endif

/* The ABI's struct timespec of old, and struct timeval: 32-bit on 32-bit ABIs. */
struct old_time {
	__kernel_long_t	sec;
	__kernel_long_t	part;
};

struct new_time {
	s64	sec;
	s64	nsec;
};

/* What to see in a structure that must not have been written. */
#define UNTOUCHED	0x5a5a5a5a

/* The second page: the real one in a time namespace. */
static inline struct vdso_page *second_page(void)
{
	return (void *)((char *)vdso_pages + ARCH_VDSO_PAGE_SIZE);
}

/* Pages as the kernel hands them out: all zeros. */
static inline void clear_pages(void)
{
	memset(vdso_pages, 0, ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE);
}

#endif /* TESTS_CORE_H */
