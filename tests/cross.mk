# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Test programs for other machines: linked statically, named <test>.elf, and beside each a script
# <test> that starts it under the emulator, so that whoever runs tests need not know. Without the
# emulator the script's output says so, as TAP.

# $1: the folder of the hooks
arch-run = $(if $(filter $1,$(hostarch)),,$($1-qemu))
# The user's flags: sanitizers and the like do not go with static programs under an emulator.
cross-cflags := -static $(filter -O% -g%,$(CFLAGS))

# $1: the folder of the hooks, $2: the test, a file below $(O)
define emulated-test
$2: $2.elf $(srctree)/tests/lib/emulate
	$$(Q)printf '#!/bin/sh\nexec %s %s "$$$$0.elf"\n' \
		$(abspath $(srctree))/tests/lib/emulate $(call arch-run,$1) > $$@
	$$(Q)chmod +x $$@
endef

# An ABI that nothing can be built for here.
$(O)/tests/compiler/%: FORCE
	@mkdir -p $(@D)
	@printf '#!/bin/sh\necho "1..0 # SKIP %s is not installed, the compiler for %s"\n' \
		$(firstword $($*-cc)) $* > $@
	@chmod +x $@
tests += $(addprefix $(O)/tests/compiler/,$(filter-out $(check-abis),$(abis)))
