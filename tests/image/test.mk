# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Audit of the images, as files and while they run.
tests += $(addprefix $(srctree)/tests/image/,audit broken matrix)
