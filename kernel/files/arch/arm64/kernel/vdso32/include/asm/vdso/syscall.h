/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* AArch32 programs are those of arch/arm. */
#include "../../../../../../arm/include/asm/vdso/syscall.h"
