# SPDX-License-Identifier: GPL-2.0-only OR MIT
# "make check-kernel" itself, without a kernel.
tests += $(addprefix $(srctree)/tests/kernel-harness/,guests trees)
