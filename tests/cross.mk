# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Test programs for other machines: linked statically, named <test>.elf, and beside each a script
# <test> that starts it under the emulator, so that whoever runs tests need not know. Without the
# emulator the script's output says so, as TAP.

# 32-bit programs of this machine are tested likewise: not every 64-bit kernel starts them.
probe32 := $(O)/tests/lib/probe32
$(probe32): $(srctree)/tests/lib/probe32.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(tool-cflags32) -static -nostdlib -o $@ $<
test-needs += $(if $(filter x86,$(hostarch)),$(probe32))

# $1: the folder of the hooks
arch-run = $(if $(filter $1,$(hostarch)),--unless $(abspath $(probe32)) qemu-i386-static,$($1-qemu))
# The user's flags: sanitizers and the like do not go with static programs under an emulator.
cross-cflags := -static $(filter -O% -g%,$(CFLAGS))

# $1: what tests/lib/emulate is told, $2: the test, a file below $(O), $3: the probe, if there is one
define started-test
$2: $2.elf $(srctree)/tests/lib/emulate $3
	$$(Q)printf '#!/bin/sh\nexec %s "$$$$0.elf"\n' \
		'$(abspath $(srctree))/tests/lib/emulate $1' > $$@
	$$(Q)chmod +x $$@
endef
# $1: the folder of the hooks, this machine's for 32-bit programs; $2: the test
emulated-test = $(call started-test,$(call arch-run,$1),$2,$(if $(filter $1,$(hostarch)),$(probe32)))

# Those of the ABIs here whose programs can be built and run: there is no C library for big-endian
# ones. cross-abis: under an emulator.
run-abis := $(foreach abi,$(check-abis),$(if $(filter -mbig-endian,$($(abi)-cflags)),,$(abi)))
cross-abis := $(foreach abi,$(run-abis),$(if $(filter $(hostarch),$($(abi)-arch)),,$(abi)))

# $1: the ABI. Objects of its programs, as $(O)/tools has those of this machine's.
define cross-objects
$1-test-cc = $$($1-cc) $$(cross-cflags) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra \
	-Wno-unused-parameter $$(filter -D%,$$($1-cflags)) -I$$(srctree)/include \
	-I$$(srctree)/include/uapi -I$$(srctree)/arch/$($1-arch)/include -I$$(srctree)/tools/lib \
	-include $$(autoconf)
$(O)/tests/objs/$1/command: FORCE
	$$(call vdso-note-change,$$($1-test-cc))
$(O)/tests/objs/$1/%.o: $(srctree)/%.c $(O)/tests/objs/$1/command $(autoconf)
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-test-cc) -MMD -MP -c -o $$@ $$<
endef
$(foreach abi,$(cross-abis),$(eval $(call cross-objects,$(abi))))
-include $(shell find $(O)/tests/objs -name '*.d' 2>/dev/null)

# $1: the ABI, $2: why its tests are skipped
define skipped-abi
$(O)/tests/skipped/$1: FORCE
	@mkdir -p $$(@D)
	@printf '#!/bin/sh\necho "1..0 # SKIP $2"\n' > $$@
	@chmod +x $$@
tests += $(O)/tests/skipped/$1
endef
$(foreach abi,$(filter-out $(check-abis),$(abis)),\
	$(eval $(call skipped-abi,$(abi),$(firstword $($(abi)-cc)) is not installed: no test of $(abi))))
$(foreach abi,$(filter-out $(run-abis),$(check-abis)),\
	$(eval $(call skipped-abi,$(abi),no C library for big-endian programs: tests/bare alone calls the image)))
