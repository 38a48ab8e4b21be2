# SPDX-License-Identifier: GPL-2.0-only OR MIT
# "make run", the show, and "make install".

run: images tools
	$(Q)$(srctree)/tools/run/run-demo $(O)

# vdso-run looks for the images where they are put here: see image_path() there.
install: images tools
	$(Q)$(srctree)/tools/run/install-tree $(O) $(srctree) '$(DESTDIR)$(PREFIX)'

.PHONY: run install
