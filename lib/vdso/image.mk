# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Rules for building images, the same for every ABI. An architecture names its
# ABIs in arch/<arch>/vdso/abi.mk:
#
#   <arch>-abis      its ABIs
#   <arch>-triple    the compiler's name for the machine, as in <triple>-gcc
#   <arch>-qemu      the emulator of its programs, unless qemu-<machine>-static
#   <arch>-big-qemu  that of its big-endian programs, if an image can be big-endian
#
# and describes each ABI by
#
#   <abi>-cflags     what selects the ABI, and flags only this architecture needs
#   <abi>-emulation  the linker's -m option
#   <abi>-objs       objects besides the core's
#   <abi>-soname     DT_SONAME, unless linux-vdso.so.1
#   <abi>-arch       folder below arch/ of its hooks and its version script, unless <arch>
#   <abi>-config     the Kconfig symbol that switches it on, unless CONFIG_VDSO_ABI_ and its name
#   <abi>-page-size  what the image is aligned to, unless 4096
#   <abi>-map        the version script, arch/<arch>/vdso/<abi-map>.map, unless <abi>

# Those that are configured, of ARCH if that is given.
abis := $(foreach abi,$(if $(vdso-arch),$($(vdso-arch)-abis),$(all-abis)),$(if $($($(abi)-config)),$(abi)))

# Every image consists of these.
vdso-core-objs := lib/vdso/entry.o lib/vdso/calibration.o lib/vdso/note.o

# User's flags that can't be switched off again by a later flag.
vdso-unwanted := -p -pg -fsplit-stack --coverage -coverage -fprofile% -flto% \
	-finstrument-functions% -ftrapv -fopenmp% -fplugin% -m16 -m32 -m64 -mx32 -miamcu -mabi=% -mcmodel=% \
	-mfpmath=% -fsyntax-only -S -E -c -M% -save-temps% -include% -static% -shared -pie \
	-emit-llvm -fembed-bitcode% -fdump%
# At -O0 the compiler does not inline what must be inlined to stay free of calls.
vdso-user-cflags = $(if $(CONFIG_VDSO_USER_CFLAGS),$(patsubst -O0,-O1,$(patsubst -Og,-O1,\
	$(filter-out $(vdso-unwanted),$(CFLAGS)))))
# Flags for one machine reach the images for that machine: ARCH, or else this one.
vdso-machine-flags := -m% -fcf-protection% -fsplit-stack -fbasic-block-sections%
vdso-abi-user-cflags = $(if $(filter $(or $(vdso-arch),$(hostarch)),$($1-arch)),\
	$(vdso-user-cflags),$(filter-out $(vdso-machine-flags),$(vdso-user-cflags)))

vdso-cppflags = -I$(srctree)/include -I$(srctree)/include/uapi \
	-I$(srctree)/arch/$($1-arch)/include -include $(O)/include/generated/autoconf.h

# After the user's flags, so that these win. What not every compiler knows is in
# scripts/cc-options, which leaves those flags out that the compiler does not take.
vdso-cflags = -O2 -g $(call vdso-abi-user-cflags,$1) \
	-std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wmissing-prototypes \
	-ffreestanding -fno-common -fno-strict-aliasing \
	-fPIC -fvisibility=hidden \
	-fomit-frame-pointer -fasynchronous-unwind-tables \
	-ffunction-sections -fdata-sections \
	$($1-cflags) @$(O)/$1/cc-options

# --gc-sections: what an ABI does not export is not in its image.
vdso-ldflags = -shared -nostdlib -m $($1-emulation) -soname $($1-soname) \
	--hash-style=both --build-id=sha1 --eh-frame-hdr -Bsymbolic \
	--no-undefined --orphan-handling=error --gc-sections \
	-z max-page-size=$(or $($1-page-size),4096) -z noexecstack -z norelro

vdso-objs = $(addprefix $(O)/$1/,$(vdso-core-objs) $($1-objs))

# The version script, without what is left out by configuration.
vdso-map = $(srctree)/arch/$($1-arch)/vdso/$(or $($1-map),$1).map
vdso-left-out := $(subst ",,$(CONFIG_VDSO_LEAVE_OUT))
vdso-left-out-check = $(if $(filter-out gettimeofday counter_calibration,$(vdso-left-out)),$(error \
	CONFIG_VDSO_LEAVE_OUT='$(vdso-left-out)': only gettimeofday and counter_calibration can be left \
	out, the other functions serve coarse clocks and resolutions whatever the counter is. \
	Change it in 'make menuconfig'))
vdso-left-out-names := $(vdso-left-out) $(if $(filter counter_calibration,$(vdso-left-out)),linux_tsc_calibration)

# Writes $1 to the target, unless it holds that already.
vdso-note-change = @mkdir -p $(@D); echo '$1' | cmp -s - $@ || echo '$1' > $@

define vdso-image
# What the flags are probed with: other CFLAGS need no new probe, that takes longer than the rest.
$(O)/$1/compiler: FORCE
	$$(call compiler-there,$1)
	$$(call linker-links,$1)
	$$(call vdso-note-change,$$($1-cc) $$($1-cflags))
$(O)/$1/cc-options: $(srctree)/scripts/cc-options $(O)/$1/compiler
	$$(call say,PROBE,$$@)
	$$(Q)$$< '$$($1-cc) $($1-cflags)' > $$@.tmp && mv $$@.tmp $$@

# Changes when the command line does: then everything is built anew.
$(O)/$1/command: FORCE
	$$(call vdso-note-change,$$($1-cc) $$(call vdso-cflags,$1) $$(LD) $$(call vdso-ldflags,$1) \
		$(addprefix -,$(vdso-left-out)))

$(O)/$1/%.o: $(srctree)/%.c $(O)/$1/cc-options $(O)/$1/command $(O)/include/generated/autoconf.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-cc) -MMD -MP $$(call vdso-cppflags,$1) $$(call vdso-cflags,$1) -c -o $$@ $$<

$(O)/$1/%.o: $(srctree)/%.S $(O)/$1/cc-options $(O)/$1/command $(O)/include/generated/autoconf.h
	$$(call say,AS,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($1-cc) -MMD -MP $$(call vdso-cppflags,$1) $$(call vdso-cflags,$1) -c -o $$@ $$<

$(O)/$1/vdso.lds: $(srctree)/lib/vdso/vdso.lds.S $(O)/$1/command
	$$(call say,LDS,$$@)
	$$(Q)$$($1-cc) -E -P -x assembler-with-cpp -MMD -MP -MT $$@ -MF $$@.d \
		$$(call vdso-cppflags,$1) $($1-cflags) -o $$@ $$<

$(O)/$1/vdso.map: $(call vdso-map,$1) $(O)/$1/command
	$$(vdso-left-out-check)$$(Q)sed -E -e '' $(foreach n,$(vdso-left-out-names),-e '/^\t(__(vdso|kernel)_)?$n;$$$$/d') $$< > $$@

$(O)/$1/vdso.so.dbg: $(call vdso-objs,$1) $(O)/$1/vdso.lds $(O)/$1/vdso.map \
		$(srctree)/arch/$($1-arch)/vdso/audit.toml $(srctree)/lib/vdso/check-image
	$$(call say,VDSO,$$@)
	$$(Q)$$(LD) $$(call vdso-ldflags,$1) -T $(O)/$1/vdso.lds \
		--version-script=$(O)/$1/vdso.map \
		-o $$@.tmp $(call vdso-objs,$1)
	$$(Q)$$(PYTHON) $(srctree)/lib/vdso/check-image $1 $$@.tmp \
		$(O)/$1/vdso.map
	$$(Q)mv $$@.tmp $$@

$(O)/$1/vdso.so: $(O)/$1/vdso.so.dbg
	$$(call say,STRIP,$$@)
	$$(Q)$$(OBJCOPY) -S $$< $$@

images += $(O)/$1/vdso.so
-include $(patsubst %.o,%.d,$(call vdso-objs,$1)) $(O)/$1/vdso.lds.d
endef

# What a port has begun with but not finished: $1: ABI, $2: folder of its hooks
vdso-lacks = $(foreach v,$2-triple $1-emulation $1-cflags,$(if $($v),,$(error \
	arch/$2/vdso/abi.mk does not say $v: see Documentation/porting.md, The images))) \
	$(foreach f,$(addprefix include/asm/vdso/,$(addsuffix .h,barrier counter pages syscall)) vdso/audit.toml \
	vdso/$(notdir $(call vdso-map,$1)),$(if $(wildcard $(srctree)/arch/$2/$f),,$(error \
	there is no arch/$2/$f, which $1 needs: see Documentation/porting.md)))
$(foreach abi,$(abis),$(call vdso-lacks,$(abi),$($(abi)-arch)))

$(foreach abi,$(abis),$(eval $(call vdso-image,$(abi))))
