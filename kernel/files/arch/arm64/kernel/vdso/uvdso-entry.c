// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The readers of the 64-bit image. */
#include "../../../../lib/vdso/entry.c"
