# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests of the core on a simulated machine (tests/arch): its page, its counter and
# its system calls belong to the test. Each program is built for this machine's 64-bit
# and 32-bit ABI and for every other architecture that has an ABI here, by both compilers.

core-tests := arithmetic reading ids updating interrupted namespace calibration

core-test-objs := tests/arch/sim.o tests/core/model.o \
	lib/vdso/entry.o lib/vdso/calibration.o lib/vdso/update.o

# What these tests show does not depend on the configuration of the images.
core-test-config := -DCONFIG_VDSO_TIME_NS=1 -DCONFIG_VDSO_PARAVIRT=1
core-test-cflags = -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter \
	-I$(srctree)/include -I$(srctree)/include/uapi -I$(srctree)/tests/lib $(core-test-config)

# The variants: core-<variant>-cc is the command that compiles and links, core-<variant>-arch
# the machine, where it may take an emulator. Where clang is missing, tests/core/headers says so.
core-clang := $(shell command -v clang)
core-native := $(if $(filter $(hostarch),$(check-archs)),64 $(if $(filter x86,$(hostarch)),32))
core-variants := $(core-native) $(cross-archs) \
	$(if $(core-clang),$(addprefix clang-,$(core-native) $(cross-archs)))
core-32-arch := $(hostarch)
core-clang-32-arch := $(hostarch)
core-64-cc = $(CC) $(CFLAGS)
core-32-cc = $(CC) $(tool-cflags32) $(CFLAGS)
core-clang-64-cc = clang $(CFLAGS)
core-clang-32-cc = clang $(tool-cflags32) $(CFLAGS)
$(foreach a,$(cross-archs),\
	$(eval core-$a-arch := $a)$(eval core-clang-$a-arch := $a)\
	$(eval core-$a-cc = $(call arch-cc,$a) $(cross-cflags))\
	$(eval core-clang-$a-cc = clang --target=$($a-triple) $(cross-cflags)))

# $1: the variant, $2: a name for its objects' folder, $3: include paths of the architecture
define core-objects
$(O)/tests/$2/$1/command: FORCE
	$$(call vdso-note-change,$$(core-$1-cc) $$(core-test-cflags))
$(O)/tests/$2/$1/%.o: $(srctree)/%.c $(O)/tests/$2/$1/command
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(core-$1-cc) -MMD -MP $3 $$(core-test-cflags) -c -o $$@ $$<
endef

# $1: the variant, $2: folder of the objects, $3: folder of the test, $4: test, $5: objects
define core-program
$(O)/tests/$3/$4-$1$(if $(core-$1-arch),.elf): $(O)/tests/$2/$1/tests/$3/$4.o $(addprefix $(O)/tests/$2/$1/,$5)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(core-$1-cc) -pthread -o $$@ $$^
$(if $(core-$1-arch),$(call emulated-test,$(core-$1-arch),$(O)/tests/$3/$4-$1))
tests += $(O)/tests/$3/$4-$1
-include $(O)/tests/$2/$1/tests/$3/$4.d $(patsubst %.o,$(O)/tests/$2/$1/%.d,$5)
endef

$(foreach v,$(core-variants),$(eval $(call core-objects,$v,sim,-I$(srctree)/tests/arch/include)))
$(foreach v,$(core-variants),$(foreach t,$(core-tests),\
	$(eval $(call core-program,$v,sim,core,$t,$(core-test-objs)))))

tests += $(srctree)/tests/core/headers
