// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The counter calibration of the 32-bit image, also of a 64-bit kernel. */
#include "fake_32bit_build.h"
#include "../../../../../lib/vdso/calibration.c"
