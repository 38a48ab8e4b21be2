# SPDX-License-Identifier: GPL-2.0-only OR MIT
tests += $(addprefix $(srctree)/tests/style/,files scripts documents port-size)
