# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Audit of the images, as files and while they run.
tests += $(addprefix $(srctree)/tests/image/,\
	audit broken forbidden left-out ordering unwind layout variants compilers matrix)

# Steps through the image of one ABI; tests/image/unwind judges what it saw. Its own
# functions keep to no frame that the image's unwind table could be mistaken for.
image-step-abis := $(filter x86_64 x32 i386,$(filter-out $(cross-abis),$(run-abis)))
image-step-objs := tests/image/step.o tools/lib/image.o lib/vdso/update.o
image-step-dir-i386 := tools32
image-step-link-i386 := -m32

define image-step
$(O)/tests/image/step-$1: $(addprefix $(O)/$(or $(image-step-dir-$1),tools)/,$(image-step-objs))
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $(image-step-link-$1) -no-pie -rdynamic $$(LDFLAGS) -o $$@ $$^
test-needs += $(O)/tests/image/step-$1
endef
$(foreach abi,$(image-step-abis),$(eval $(call image-step,$(abi))))

# The trampolines that handlers of 32-bit programs return to.
ifneq ($(filter i386,$(image-step-abis)),)
$(O)/tests/image/sigreturn.elf: $(addprefix $(O)/tools32/,tests/image/sigreturn.o tools/lib/image.o)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -m32 -no-pie -rdynamic $(LDFLAGS) -o $@ $^
$(eval $(call emulated-test,$(hostarch),$(O)/tests/image/sigreturn))
tests += $(O)/tests/image/sigreturn
endif

# Those of 64-bit ABIs whose unwinders know the trampoline by its bytes.
image-trampoline-abis := $(filter arm64 riscv64,$(cross-abis))
define image-trampoline
$(O)/tests/objs/$1/tests/image/trampoline.o: private cross-cflags += -fasynchronous-unwind-tables
$(O)/tests/image/trampoline-$1.elf: $(addprefix $(O)/tests/objs/$1/,tests/image/trampoline.o tools/lib/image.o)
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-cc) $$(cross-cflags) -o $$@ $$^
$(call emulated-test,$($1-arch),$(O)/tests/image/trampoline-$1)
tests += $(O)/tests/image/trampoline-$1
endef
$(foreach abi,$(image-trampoline-abis),$(eval $(call image-trampoline,$(abi))))
