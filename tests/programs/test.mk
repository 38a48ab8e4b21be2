# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Real programs under vdso-run.

programs-dir := $(O)/tests/programs
programs-clockcheck := glibc glibc-static glibc-no-pie glibc32 glibc32-static glibc32-time64 \
	x32 musl musl-static

# Not with $(CC) and $(CFLAGS): these are other people's programs.
programs-cc-glibc := gcc
programs-cc-glibc-static := gcc -static
programs-cc-glibc-no-pie := gcc -no-pie
programs-cc-glibc32 := gcc $(tool-cflags32)
programs-cc-glibc32-static := gcc -static $(tool-cflags32)
programs-cc-glibc32-time64 := gcc $(tool-cflags32) -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64
programs-cc-x32 := gcc -mx32 -idirafter /usr/include/x86_64-linux-gnu
programs-cc-musl := musl-gcc
programs-cc-musl-static := musl-gcc -static

$(programs-dir)/%/clockcheck: $(srctree)/tests/programs/clockcheck.c \
		$(srctree)/tests/programs/build $(srctree)/tests/programs/test.mk
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(srctree)/tests/programs/build $@ $< $(programs-cc-$*) -O2 -Wall -Wextra -pthread

$(programs-dir)/go%: $(srctree)/tests/programs/gocheck.go $(srctree)/tests/programs/build-go
	$(call say,GO,$@)
	@mkdir -p $(@D)
	$(Q)$(srctree)/tests/programs/build-go $@ $* $<

programs-built := $(programs-clockcheck:%=$(programs-dir)/%/clockcheck) \
	$(programs-dir)/goamd64 $(programs-dir)/go386
test-needs += $(programs-built)
tests += $(addprefix $(srctree)/tests/programs/,libc go commands signals-and-tracers)
