# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests of the core on a simulated machine (tests/arch): its page, its counter and
# its system calls belong to the test. Each program is built for the 64-bit
# and the 32-bit ABI, and by both compilers.

core-tests := arithmetic reading ids updating interrupted namespace calibration

core-test-objs := tests/arch/sim.o tests/core/model.o \
	lib/vdso/entry.o lib/vdso/calibration.o lib/vdso/update.o

# What these tests show does not depend on the configuration of the images.
core-test-config := -DCONFIG_VDSO_TIME_NS=1 -DCONFIG_VDSO_PARAVIRT=1
core-test-cflags = $(CFLAGS) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter \
	-I$(srctree)/include -I$(srctree)/include/uapi -I$(srctree)/tests/lib $(core-test-config)

# The variants: core-<variant>-cc is the command that compiles and links. Where clang
# is missing, tests/core/headers says so.
core-variants := 64 32 $(if $(shell command -v clang),clang-64 clang-32)
core-64-cc = $(CC)
core-32-cc = $(CC) $(tool-cflags32)
core-clang-64-cc = clang
core-clang-32-cc = clang $(tool-cflags32)

# $1: the variant, $2: a name for its objects' folder, $3: include paths of the architecture
define core-objects
$(O)/tests/$2/$1/%.o: $(srctree)/%.c $(O)/tools/command
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(core-$1-cc) -MMD -MP $3 $$(core-test-cflags) -c -o $$@ $$<
endef

# $1: the variant, $2: folder of the objects, $3: folder of the test, $4: test, $5: objects
define core-program
$(O)/tests/$3/$4-$1: $(O)/tests/$2/$1/tests/$3/$4.o $(addprefix $(O)/tests/$2/$1/,$5)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(core-$1-cc) $$(CFLAGS) -pthread -o $$@ $$^
tests += $(O)/tests/$3/$4-$1
-include $(O)/tests/$2/$1/tests/$3/$4.d $(patsubst %.o,$(O)/tests/$2/$1/%.d,$5)
endef

$(foreach v,$(core-variants),$(eval $(call core-objects,$v,sim,-I$(srctree)/tests/arch/include)))
$(foreach v,$(core-variants),$(foreach t,$(core-tests),\
	$(eval $(call core-program,$v,sim,core,$t,$(core-test-objs)))))

# The ABIs for tests/core/headers.
$(O)/tests/core/abis: $(autoconf) $(wildcard $(srctree)/arch/*/vdso/abi.mk)
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach a,$(abis),'$a $($a-arch) $($a-cflags)') > $@
test-needs += $(O)/tests/core/abis
tests += $(srctree)/tests/core/headers
