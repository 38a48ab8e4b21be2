/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Where things are in the mapping in front of the vDSO: offsets in the data page
 * and the order of the pages. Linker scripts read this too.
 */
#ifndef _ASM_X86_UVDSO_VVAR_H
#define _ASM_X86_UVDSO_VVAR_H

#ifdef CONFIG_UVDSO

#include <asm/vdso/pages.h>

#define VVAR_DATA_OFFSET	0
#define VVAR_RNG_OFFSET		2048	/* behind struct vdso_page */

#define VVAR_TIMENS_PAGE	1
#define VVAR_PVCLOCK_PAGE	VDSO_PVCLOCK_PAGE
#define VVAR_HVCLOCK_PAGE	VDSO_HVCLOCK_PAGE

#ifndef __ASSEMBLY__
#include <vdso/layout.h>

/* In a vDSO image: whether the first page is a time namespace's. */
#define vvar_is_timens() \
	(READ_ONCE(((const struct vdso_page *)VVAR(_vdso_data))->clock[0].mode) == VDSO_MODE_TIMENS)
#endif

#else /* !CONFIG_UVDSO */

#define VVAR_DATA_OFFSET	128
#define VVAR_RNG_OFFSET		640

#define VVAR_PVCLOCK_PAGE	1
#define VVAR_HVCLOCK_PAGE	2
#define VVAR_TIMENS_PAGE	3

#define vvar_is_timens() \
	(VVAR(_vdso_data)->clock_mode == VDSO_CLOCKMODE_TIMENS)

#endif /* CONFIG_UVDSO */
#endif /* _ASM_X86_UVDSO_VVAR_H */
