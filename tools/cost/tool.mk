# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What a call costs on machines that are not here: "make bench ARCH=arm64" counts the
# instructions of our image's functions and of Linux's, and has llvm-mca say how
# many cycles they take.

cost-dir := $(O)/bench/cost

# The program that loads an image and calls it. Its compiler does not matter, but it has to
# have a C library, which not every compiler of images has.
cost-i386-cflags = $(tool-cflags32)
# What runs it, where the machine's own emulator does not.
cost-i386-qemu := qemu-i386-static
cost-qemu = $(or $(cost-$1-qemu),$($($1-arch)-qemu))
cost-cc-there = @command -v $(firstword $(call cost-cc,$1)) > /dev/null || { \
	echo "There is no $(firstword $(call cost-cc,$1)), which the benchmark of $1 needs." \
	"Type 'scripts/with-deps make bench ARCH=$(ARCH)'." >&2; exit 1; }
cost-cc = $(call cc-prefix,$($1-arch))gcc $(cost-$1-cflags)
cost-link = $(call cost-cc,$1) -O2 -static -std=gnu11 -Wall -Wextra -Wno-unused-parameter \
	$(call vdso-cppflags,$1) -I$(srctree)/tools/lib -I$(srctree)/tools/cost
cost-sources = $(addprefix $(srctree)/,tools/cost/call.c tools/lib/image.c \
	$(patsubst %.o,%.c,$(call trap-of,$($1-arch))))
cost-ours = $(addprefix $(srctree)/,tools/cost/fill-uvdso.c lib/vdso/update.c)

include $(srctree)/tools/cost/linux/linux.mk

# What can't be counted, and why.
cost-big := $(strip $(foreach abi,$(abis),$(if $(filter -mbig-endian,$($(abi)-cflags)),$(abi))))
cost-abis := $(filter-out x32 $(cost-big),$(abis))

define cost-abi
$(cost-dir)/$1/call: $(call cost-sources,$1) $(cost-ours) $(autoconf) $(O)/$1/command \
		$(wildcard $(addprefix $(srctree)/,tools/cost/*.h tools/lib/*.h tools/lib/trap/*.h include/vdso/*.h))
	$$(call say,CC,$$@)
	$$(call cost-cc-there,$1)
	@mkdir -p $$(@D)
	$$(Q)$$(call cost-link,$1) -o $$@ $$(call cost-sources,$1) $$(cost-ours)

$(cost-dir)/$1.json: FORCE $(O)/$1/vdso.so $(cost-dir)/$1/call $(cost-dir)/$1/linux/done
	$$(Q)$(srctree)/tools/cost/vdso-cost --json $$@ --abi $1 --compiler '$$($1-cc)' \
		--emulator '$(call cost-qemu,$1)' $(O)/$1/vdso.so $(cost-dir)/$1
$(call linux-reader,$1)
endef
$(foreach abi,$(cost-abis),$(eval $(call cost-abi,$(abi))))

bench-cost: $(addprefix $(cost-dir)/,$(addsuffix .json,$(cost-abis)))
	$(if $(filter x32,$(abis)),@echo "x32: not counted: qemu-user cannot run x32 programs")
	$(if $(cost-big),@echo "$(cost-big): not counted: there is no big-endian C library for the calling program")
	@echo "Numbers are in $(cost-dir); how to read them: Documentation/benchmark.md"

.PHONY: bench-cost
