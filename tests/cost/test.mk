# SPDX-License-Identifier: GPL-2.0-only OR MIT
# That vdso-cost counts rightly, not what anything costs.

tests += $(addprefix $(srctree)/tests/cost/,counting refusals models)
cost-test-abis := $(filter $(cost-abis),$(check-abis))
cost-test-nops := 0 1 10

define cost-known
$(O)/tests/cost/$1/known-$2.so: $(srctree)/tests/cost/known.c $(O)/$1/vdso.lds $(O)/$1/lib/vdso/note.o \
		$(O)/$1/command
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-cc) $$(call vdso-cflags,$1) -DNOPS=$2 -c -o $$(@:.so=.o) $$<
	$$(Q)$$(LD) $$(call vdso-ldflags,$1) -T $(O)/$1/vdso.lds -o $$@ $$(@:.so=.o) $(O)/$1/lib/vdso/note.o
test-needs += $(O)/tests/cost/$1/known-$2.so
endef
$(foreach abi,$(cost-test-abis),$(foreach nops,$(cost-test-nops),\
	$(eval $(call cost-known,$(abi),$(nops)))))

# The program that calls images, and what runs it.
$(cost-test-abis:%=$(O)/tests/cost/%/emulator): $(O)/tests/cost/%/emulator: $(cost-dir)/%/call
	@mkdir -p $(@D)
	@echo '$(call cost-qemu,$*)' > $@
test-needs += $(cost-test-abis:%=$(O)/tests/cost/%/emulator)
