// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The readers of the image. */
#include "../../../lib/vdso/entry.c"
