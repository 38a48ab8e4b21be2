/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * In a vDSO image: how the tree's own functions see what is mapped in front of it.
 */
#ifndef __ASM_UVDSO_VVAR_H
#define __ASM_UVDSO_VVAR_H

#ifdef CONFIG_UVDSO

#include <vdso/layout.h>

/* Whether the first page is a time namespace's. */
#define vvar_is_timens() \
	(READ_ONCE(((const struct vdso_page *)_vdso_data)->clock[0].mode) == VDSO_MODE_TIMENS)

#else

#define vvar_is_timens() \
	(_vdso_data->clock_mode == VDSO_CLOCKMODE_TIMENS)

#endif /* CONFIG_UVDSO */
#endif /* __ASM_UVDSO_VVAR_H */
