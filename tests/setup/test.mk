# SPDX-License-Identifier: GPL-2.0-only OR MIT
tests += $(addprefix $(srctree)/tests/setup/,runner with-deps install demo folders)
