# SPDX-License-Identifier: GPL-2.0-only OR MIT
tests += $(srctree)/tests/setup/runner $(srctree)/tests/setup/with-deps
