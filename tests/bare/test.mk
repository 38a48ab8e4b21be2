# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests that are linked with no C library and made by the very flags of the images, so there is one
# for every ABI that has a compiler, big-endian ones too. tests/image/variants makes them for other
# configurations.

bare-tests := hooks clocks
bare-objs = tests/bare/bare.o lib/vdso/update.o $(bare-objs-$2)
bare-objs-clocks = tests/bare/image.o $(call trap-of,$($1-arch))

# What tests/lib/emulate is told: nothing where the machine itself starts the program.
probe-x32 := $(O)/tests/lib/probe-x32
$(probe-x32): $(srctree)/tests/lib/probe32.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -mx32 -idirafter /usr/include/x86_64-linux-gnu -static -nostdlib -o $@ $<
bare-probe-i386 := $(probe32)
bare-probe-x32 := $(probe-x32)
bare-unless-i386 := --unless $(abspath $(probe32)) qemu-i386-static
bare-unless-x32 := --unless $(abspath $(probe-x32)) -
bare-qemu = $(if $(filter -mbig-endian,$($1-cflags)),$($($1-arch)-big-qemu),\
	$(if $(filter $(hostarch),$($1-arch)),$(bare-unless-$1),$(call cost-qemu,$1)))

# $1: the ABI. Not among the image's own objects.
define bare-objects
$(O)/tests/bare/$1/%.o: $(srctree)/%.c $(O)/$1/cc-options $(O)/$1/command $(autoconf)
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-cc) -MMD -MP $$(call vdso-cppflags,$1) $$(call vdso-cflags,$1) -c -o $$@ $$<
$(O)/tests/bare/$1/%.o: $(srctree)/%.S $(O)/$1/vdso.so
	$$(call say,AS,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-cc) -MMD -MP $$(call vdso-cppflags,$1) $$(call vdso-cflags,$1) -I$(O)/$1 -c -o $$@ $$<
endef
$(foreach abi,$(check-abis),$(eval $(call bare-objects,$(abi))))
-include $(shell find $(O)/tests/bare -name '*.d' 2>/dev/null)

# $1: the ABI, $2: the test
define bare-test
$(O)/tests/bare/$2-$1$(if $(call bare-qemu,$1),.elf): $(addprefix $(O)/tests/bare/$1/,tests/bare/$2.o $(bare-objs))
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(LD) -m $($1-emulation) -static --gc-sections -z noexecstack -o $$@ $$^
$(if $(call bare-qemu,$1),$(call started-test,$(call bare-qemu,$1),$(O)/tests/bare/$2-$1,$(if \
	$(filter $(hostarch),$($1-arch)),$(bare-probe-$1))))
tests += $(O)/tests/bare/$2-$1
endef
$(foreach abi,$(check-abis),$(foreach test,$(bare-tests),$(eval $(call bare-test,$(abi),$(test)))))
