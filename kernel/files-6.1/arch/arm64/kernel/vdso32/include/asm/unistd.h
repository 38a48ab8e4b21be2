/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The system calls of AArch32 programs. */
#include <asm/unistd32.h>
