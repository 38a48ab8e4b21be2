/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Moving about in the mapping: in a time namespace the first page is the
 * namespace's, with mode TIMENS in every record for good, and the page that
 * the writer updates is the second one. Elsewhere it is the first.
 */
#ifndef VDSO_MAPPING_H
#define VDSO_MAPPING_H

#include <vdso/hooks.h>

/**
 * vdso_behind() - the record of the same clock on the second page
 * @c:	a record of the first page
 */
static __always_inline const struct vdso_clock *vdso_behind(const struct vdso_clock *c)
{
	return (const void *)((const char *)c + ARCH_VDSO_PAGE_SIZE);
}

/**
 * vdso_real_clock() - the record that the writer updates
 * @first:	the clock's record on the first page
 */
static __always_inline const struct vdso_clock *vdso_real_clock(const struct vdso_clock *first)
{
	if (IS_ENABLED(CONFIG_VDSO_TIME_NS) && READ_ONCE(first->mode) == VDSO_MODE_TIMENS)
		return vdso_behind(first);
	return first;
}

/**
 * vdso_real_page() - the page that the writer updates
 * @page:	first page of the mapping
 */
static __always_inline const struct vdso_page *vdso_real_page(const struct vdso_page *page)
{
	return (const void *)vdso_real_clock(&page->clock[0]);
}

#endif /* VDSO_MAPPING_H */
