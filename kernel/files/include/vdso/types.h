/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Compiler and type basics: the one header that differs between the two homes
 * of this code. This is the one inside a Linux tree.
 *
 * It is read by vDSO images of every ABI, whose code is not the kernel's, and by
 * the kernel itself. So it takes the least that there is, and nothing that would
 * bring in the kernel's own view of the machine.
 */
#ifndef VDSO_TYPES_H
#define VDSO_TYPES_H

#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/linux/time.h>
#include <vdso/time64.h>
#include <asm/unistd.h>

#ifndef __noinline
#define __noinline	noinline
#endif
#ifndef __hidden
#define __hidden	__attribute__((__visibility__("hidden")))
#endif

/* CLOCK_AUX came to the UAPI with Linux 6.17. */
#ifndef CLOCK_AUX
#define CLOCK_AUX	16
#endif

#endif /* VDSO_TYPES_H */
