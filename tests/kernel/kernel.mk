# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Kernels with uvdso, built and booted under QEMU: "make check-kernel", "make bench-kernel".
# Narrowed by KERNEL=6.12 or 6.1, and ARCH=x86_64, i386, arm64 or arm.

# kernel/linux-<version>/<architecture>.toml says what there is.
kernel-known := $(patsubst $(srctree)/kernel/linux-%,%,$(wildcard $(srctree)/kernel/linux-*))
kernel-versions := $(or $(KERNEL),$(sort $(kernel-known)))
ifneq ($(filter-out $(kernel-known),$(kernel-versions)),)
$(error KERNEL='$(KERNEL)' is not a kernel version that uvdso is carried into: there are $(kernel-known))
endif

# What ARCH means here: which machines of tests/kernel/machines.py.
kernel-machines-x86_64 := x86_64
kernel-machines-i386 := i386
kernel-machines-x86 := x86_64 i386
kernel-machines-arm64 := arm64-cortex-a57 arm64-max
kernel-machines-arm := arm-virt arm-vexpress-a9 arm-sabrelite
kernel-machines-all := $(foreach a,x86 arm64 arm,$(kernel-machines-$a))
kernel-machines := $(if $(ARCH),$(kernel-machines-$(ARCH)),$(kernel-machines-all))
# The programs for the guests: other people's compilers, whatever compiles the images.
guest-abis-x86_64 := x86_64 i386 x32
guest-abis-i386 := i386
guest-abis-x86 := $(guest-abis-x86_64)
guest-abis-arm64 := arm64 arm
guest-abis-arm := arm
guest-abis := $(or $(guest-abis-$(ARCH)),x86_64 i386 x32 arm64 arm)
guest-32 := -idirafter /usr/include/x86_64-linux-gnu
guest-cc-x86_64 := gcc -m64
guest-cc-i386 := gcc -m32 $(guest-32)
guest-cc-x32 := gcc -mx32 $(guest-32)
guest-cc-arm64 := aarch64-linux-gnu-gcc
guest-cc-arm := arm-linux-gnueabihf-gcc

guest-dir := $(O)/kernel/guest
guest-cflags := -O2 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -static -pthread \
	-I$(srctree)/include -I$(srctree)/include/uapi
guest-src := $(srctree)/tests/kernel/guest
guest-programs := abi served times calibrate follow timens count

# $1: ABI, $2: program, $3: its sources
define guest-program
$(guest-dir)/$1/$2: $3 $(wildcard $(guest-src)/*.h $(srctree)/include/vdso/*.h $(srctree)/include/uapi/*/*.h) \
		$(srctree)/tests/lib/tap.h $(srctree)/tests/kernel/kernel.mk
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	@command -v $(firstword $(guest-cc-$1)) > /dev/null || { echo "There is no $(firstword $(guest-cc-$1))," \
		"which compiles the programs for the guests. Type 'scripts/with-deps make check-kernel'." >&2; exit 1; }
	$$(Q)$(guest-cc-$1) $(guest-cflags) -o $$@ $3
guests += $(guest-dir)/$1/$2
endef

guests :=
$(foreach abi,$(guest-abis),\
	$(foreach p,$(guest-programs),\
		$(eval $(call guest-program,$(abi),$p,$(guest-src)/$p.c $(guest-src)/guest.c)))\
	$(eval $(call guest-program,$(abi),init,$(guest-src)/init.c))\
	$(eval $(call guest-program,$(abi),timer-latency,$(srctree)/tools/timer-latency/timer-latency.c)))

$(guest-dir)/compilers: $(srctree)/tests/kernel/kernel.mk
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach a,x86_64 i386 x32 arm64 arm,'$a=$(guest-cc-$a)') > $@

# One test program for each kernel and machine, as tests/run wants them.
kernel-arch = $(patsubst x86_64,x86,$(patsubst i386,x86,$(firstword $(subst -, ,$1))))
kernel-boots := $(foreach v,$(kernel-versions),$(foreach m,$(kernel-machines),\
	$(if $(wildcard $(srctree)/kernel/linux-$v/$(call kernel-arch,$m).toml),$(O)/kernel/tests/$v/$m)))
ifneq ($(filter check-kernel bench-kernel,$(MAKECMDGOALS)),)
ifeq ($(kernel-machines),)
$(error ARCH='$(ARCH)' has no machine to boot a kernel on: take x86_64, i386, arm64 or arm)
endif
ifeq ($(strip $(kernel-boots)),)
$(error uvdso is not carried into Linux $(kernel-versions) for $(ARCH))
endif
endif

# And one for each kernel: what compilers say about our files.
kernel-lints := $(sort $(foreach b,$(kernel-boots),$(dir $b)lint-$(firstword $(subst -, ,$(notdir $b)))))

$(kernel-boots): $(O)/kernel/tests/%: $(srctree)/tests/kernel/kernel.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec $$srctree/tests/kernel/boot %s %s\n' $(*D) $(*F) > $@
	@chmod +x $@
$(kernel-lints): $(O)/kernel/tests/%: $(srctree)/tests/kernel/kernel.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec $$srctree/tests/kernel/lint %s %s\n' $(*D) $(patsubst lint-%,%,$(*F)) > $@
	@chmod +x $@

check-kernel bench-kernel: export srctree := $(abspath $(srctree))
check-kernel bench-kernel: export O := $(abspath $(O))
check-kernel bench-kernel: export VDSOTEST := $(abspath $(VDSOTEST))
check-kernel bench-kernel: $(guests) $(guest-dir)/compilers
check-kernel: $(kernel-lints) $(kernel-boots)
	$(Q)JOBS=1 TEST_TIMEOUT=3000 $(srctree)/tests/run $(kernel-lints) $(kernel-boots)
bench-kernel:
	$(Q)$(srctree)/tests/kernel/bench $(patsubst $(O)/kernel/tests/%,%,$(kernel-boots))

.PHONY: check-kernel bench-kernel
