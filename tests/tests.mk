# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The test suite. Each folder's test.mk adds to $(tests) the programs that print
# TAP and to $(test-needs) what has to be built for them.

tests :=
test-needs :=

# The configured ABIs that this machine has a compiler for; the others' tests are skipped.
compilers-there := $(shell for cc in $(sort $(foreach abi,$(abis),$(firstword $($(abi)-cc)))); do \
	command -v $$cc > /dev/null && echo $$cc; done; true)
check-abis := $(foreach abi,$(abis),$(if $(filter $(firstword $($(abi)-cc)),$(compilers-there)),$(abi)))
# The folders of their hooks, and those of other machines: their programs need an emulator.
check-archs := $(sort $(foreach abi,$(check-abis),$($(abi)-arch)))
cross-archs := $(filter-out $(hostarch),$(check-archs))

include $(srctree)/tests/cross.mk

# With an ARCH that is not this machine's only what is tested for every ABI.
test-folders := $(if $(ARCH-foreign),abi bare core cost image life,*)
include $(sort $(wildcard $(test-folders:%=$(srctree)/tests/%/test.mk)))

# For tests that compile something for each ABI: its name, the architecture whose kernel runs it,
# the folder of its hooks, the command; once with the ABI's own compiler and once with clang.
kernel-of = $(strip $(foreach arch,$(all-archs),$(if $(filter $1,$($(arch)-abis)),$(arch))))
abi-columns = $1 $(call kernel-of,$1) $($1-arch)
$(O)/tests/abis: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach abi,$(check-abis),'$(call abi-columns,$(abi)) $($(abi)-cc) $($(abi)-cflags)' \
		'$(call abi-columns,$(abi)) clang --target=$($($(abi)-arch)-triple) $($(abi)-cflags)') > $@
test-needs += $(O)/tests/abis

# These take the longest, the second and third by waiting: begun first, so that nobody waits for
# one of them alone.
tests-long := %/image/matrix %/vdso-run/jobs %/kselftest/timers %/image/ordering

# What the tests may rely on, besides the images and tools below $(O).
check: export srctree := $(abspath $(srctree))
check: export O := $(abspath $(O))
check: export CC := $(CC)
check: export LD := $(LD)
check: $(check-abis:%=$(O)/%/vdso.so) $(if $(ARCH-foreign),,tools) $(test-needs) $(tests)
	$(Q)$(srctree)/tests/run $(foreach test,$(tests-long),$(filter $(test),$(tests))) \
		$(filter-out $(tests-long),$(tests))

.PHONY: check
