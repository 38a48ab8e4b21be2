# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests that call an image: one program per ABI, named <test>-<ABI> (the reason
# is in under_test.h). The tests of a living page, tests/life, are built likewise.

# Programs of this machine: how they are linked, and which objects they are made of.
abi-test-abis := $(filter-out $(cross-abis),$(run-abis))
abi-test-link-x86_64 :=
abi-test-objs-x86_64 := $(O)/tools
abi-test-link-x32 := -no-pie
abi-test-objs-x32 := $(O)/tools
abi-test-link-i386 := -m32
abi-test-objs-i386 := $(O)/tools32
# This one looks at the file only: what counts is its ELF class.
lookup-link-x32 := -m32
lookup-objs-x32 := $(O)/tools32
files-ldflags := -Wl,--wrap=malloc,--wrap=free
files-link-x32 := -m32
files-objs-x32 := $(O)/tools32

# $1: the folder of the hooks. Where there is code for what an emulator refuses, tests have a counter
# all the same.
abi-test-refused = $(filter-out %/none.o,$(call trap-of,$1))
abi-test-clock = $(if $(abi-test-refused),tests/abi/refused.o $(abi-test-refused) \
	$(filter-out %/host_cpu_probe.o,$(call host-clock-of,$1)),$(call host-clock-of,$1))
abi-test-lib = tests/abi/under_test.o tests/abi/places.o tools/lib/image.o lib/vdso/update.o \
	$(call abi-test-clock,$1)
abi-tests := clocks others sandbox lookup files
life-tests := between threads storm processes stop

# $1: folder below tests, $2: test, $3: ABI, $4: objects besides the test's own
abi-test-elf = $(if $(filter -m32,$(or $($2-link-$3),$(abi-test-link-$3))),.elf)
define abi-test
$(O)/tests/$1/$2-$3$(abi-test-elf): $(addprefix $(or $($2-objs-$3),$(abi-test-objs-$3))/,tests/$1/$2.o $4)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $($2-ldflags) $(or $($2-link-$3),$(abi-test-link-$3)) $$(LDFLAGS) -o $$@ $$^ -pthread -lm
$(if $(abi-test-elf),$(call emulated-test,$(hostarch),$(O)/tests/$1/$2-$3))
tests += $(O)/tests/$1/$2-$3
endef

# The same for an emulated machine.
define abi-cross-test
$(O)/tests/$1/$2-$3.elf: $(addprefix $(O)/tests/objs/$3/,tests/$1/$2.o $4)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($3-cc) $$(cross-cflags) $($2-ldflags) -o $$@ $$^ -pthread -lm
$(call emulated-test,$($3-arch),$(O)/tests/$1/$2-$3)
tests += $(O)/tests/$1/$2-$3
endef

$(foreach abi,$(run-abis),$(eval abi-lib := $(call abi-test-lib,$($(abi)-arch)))\
	$(eval rule := $(if $(filter $(abi),$(cross-abis)),abi-cross-test,abi-test))\
	$(foreach test,$(abi-tests),$(eval $(call $(rule),abi,$(test),$(abi),$(abi-lib))))\
	$(foreach test,$(life-tests),\
		$(eval $(call $(rule),life,$(test),$(abi),$(abi-lib) tests/life/life.o))))

tests += $(if $(ARCH-foreign),,$(srctree)/tests/abi/vdsotest)
