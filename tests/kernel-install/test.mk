# SPDX-License-Identifier: GPL-2.0-only OR MIT
# make install-kernel: what it does to trees, good and bad ones. Needs no kernel build.

kernel-install-dir := $(O)/tests/kernel-install
kernel-install-versions := $(patsubst $(srctree)/kernel/linux-%,%,$(wildcard $(srctree)/kernel/linux-*))

# Debian's source of each version, as far as the tables touch it.
$(kernel-install-dir)/linux-%: $(srctree)/tests/kernel-install/unpack FORCE
	$(Q)$< $@ /usr/src/linux-source-$*.tar.xz $(srctree)/kernel/linux-$*

test-needs += $(addprefix $(kernel-install-dir)/linux-,$(kernel-install-versions))
tests += $(srctree)/tests/kernel-install/mechanics $(srctree)/tests/kernel-install/trees \
	$(srctree)/tests/kernel-install/checkpatch
