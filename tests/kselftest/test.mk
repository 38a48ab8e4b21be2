# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The kernel's own tests, from Debian's source of Linux, unpacked and built below
# $(O) only.

KSELFTEST_SOURCE ?= /usr/src/linux-source-6.12.tar.xz
kselftest-dir := $(O)/tests/kselftest

$(kselftest-dir)/source: $(wildcard $(KSELFTEST_SOURCE)) $(srctree)/tests/kselftest/unpack
	$(call say,UNPACK,$@)
	$(Q)$(srctree)/tests/kselftest/unpack $@ $(KSELFTEST_SOURCE)

$(kselftest-dir)/64: kselftest-cc := gcc
$(kselftest-dir)/32: kselftest-cc := gcc $(tool-cflags32)
$(kselftest-dir)/64 $(kselftest-dir)/32: $(kselftest-dir)/source $(srctree)/tests/kselftest/build
	$(call say,CC,$@)
	$(Q)$(srctree)/tests/kselftest/build $@ $< $(kselftest-cc)

test-needs += $(kselftest-dir)/64 $(kselftest-dir)/32
tests += $(addprefix $(srctree)/tests/kselftest/,vdso timers timens)
