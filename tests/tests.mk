# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The test suite. Each folder's test.mk adds to $(tests) the programs that print
# TAP and to $(test-needs) what has to be built for them.

tests :=
test-needs :=
include $(sort $(wildcard $(srctree)/tests/*/test.mk))

# These take the longest: begun first, so that nobody waits for one of them alone.
tests-long := %/image/matrix %/kselftest/timers

# What the tests may rely on, besides the images and tools below $(O).
check: export srctree := $(abspath $(srctree))
check: export O := $(abspath $(O))
check: export CC := $(CC)
check: export LD := $(LD)
check: images tools $(test-needs) $(tests)
	$(Q)$(srctree)/tests/run $(filter $(tests-long),$(tests)) $(filter-out $(tests-long),$(tests))

.PHONY: check
