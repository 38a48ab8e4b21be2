# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Carrying uvdso into a Linux source tree: Documentation/kernel.md.

kernel-dry-run := $(if $(filter-out 0 n,$(DRY_RUN)),--dry-run)
kernel-dir = $(or $(KDIR),$(error KDIR is not given: \
	make $@ KDIR=folder, where folder is the top of a Linux source tree))

install-kernel:
	$(Q)$(PYTHON) $(srctree)/kernel/install $(kernel-dry-run) '$(kernel-dir)'
uninstall-kernel:
	$(Q)$(PYTHON) $(srctree)/kernel/install --uninstall $(kernel-dry-run) '$(kernel-dir)'

.PHONY: install-kernel uninstall-kernel
