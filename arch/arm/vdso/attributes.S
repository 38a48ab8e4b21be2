/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which floating-point calling convention the image has: none, so it suits programs
 * of either. Otherwise the linker marks it as one for soft float, which some loaders
 * and debuggers refuse to combine with hard float (Addenda to the ABI for the Arm
 * Architecture, Tag_ABI_VFP_args: 2, "toolchain-specific").
 */
#include "../../../lib/vdso/asm.h"

	.eabi_attribute Tag_ABI_VFP_args, 2
