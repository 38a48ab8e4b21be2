/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* arm: how far the data are in front of _start, which linux.mk puts there. */
#define VDSO_DATA_SIZE	0
