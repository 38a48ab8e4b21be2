// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The counter calibration of the 64-bit image. */
#include "../../../../lib/vdso/calibration.c"
