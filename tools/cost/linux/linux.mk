# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The reader of Linux 6.12 as a shared object like our images: from Debian's source of Linux,
# unpacked below $(O), by the ABI's own compiler with the image's own flags, linked by
# the image's linker script, so that call.c can load it. Nothing but the reader differs.
#
#   linux-<abi>-arch     the folder below arch/ that the kernel keeps it in; ours if not given
#   linux-<abi>-file     its file with the exported functions
#   linux-<abi>-more     another file
#   linux-<abi>-cflags   what only this ABI's build in the kernel has
#   linux-<arch>-offset  where the data begin in the page

COST_SOURCE ?= /usr/src/linux-source-6.12.tar.xz
linux-source := $(O)/bench/linux

linux-x86_64-file := arch/x86/entry/vdso/vclock_gettime.c
linux-i386-file := arch/x86/entry/vdso/vdso32/vclock_gettime.c
linux-i386-cflags := -include $(linux-source)/arch/x86/entry/vdso/vdso32/fake_32bit_build.h
linux-x86-offset := 128

linux-arm64-file := arch/arm64/kernel/vdso/vgettimeofday.c
linux-arm64_compat-arch := arm64
linux-arm64_compat-file := arch/arm64/kernel/vdso32/vgettimeofday.c
linux-arm64_compat-cflags := -DENABLE_COMPAT_VDSO=1 '-D__uint128_t=void*'

linux-arm-file := arch/arm/vdso/vgettimeofday.c
linux-arm-more := arch/arm/vdso/datapage.S
linux-arm-cflags := -DBUILD_VDSO32 -D__LINUX_ARM_ARCH__=7

linux-riscv64-file := arch/riscv/kernel/vdso/vgettimeofday.c

linux-arch = $(or $(linux-$1-arch),$($1-arch))
linux-include = $(srctree)/tools/cost/linux
linux-cppflags = -nostdinc -I$(linux-include)/$(call linux-arch,$1) -I$(linux-include) \
	-I$(linux-source)/arch/$(call linux-arch,$1)/include \
	-I$(linux-source)/arch/$(call linux-arch,$1)/include/generated \
	-I$(linux-source)/include \
	-I$(linux-source)/arch/$(call linux-arch,$1)/include/uapi \
	-I$(linux-source)/arch/$(call linux-arch,$1)/include/generated/uapi \
	-I$(linux-source)/include/uapi \
	-include $(linux-include)/$(call linux-arch,$1).h \
	-include $(linux-source)/include/linux/compiler-version.h \
	-include $(linux-source)/include/linux/kconfig.h \
	-D__KERNEL__ -DBUILD_VDSO $(linux-$1-cflags)
linux-include-types := -include $(linux-source)/include/linux/compiler_types.h

# The kernel exports by its version script alone; its code is not written for our warnings.
linux-cflags = $(call vdso-cflags,$1) -fvisibility=default -w
# x86 has the generic part included in its own file.
linux-generic = $(if $(filter x86,$(call linux-arch,$1)),,-include $(linux-source)/lib/vdso/gettimeofday.c)

# What its objects call the data. The counted calls use neither the second page nor those of
# hypervisors, nor do they make a system call: these symbols only have to be there.
linux-symbols = $(foreach s,_vdso_data vvar__vdso_data,--defsym=$s=vdso_pages+$(or $(linux-$(call linux-arch,$1)-offset),0)) \
	$(foreach s,_start _timens_data timens__vdso_data pvclock_page hvclock_page \
		__kernel_vsyscall,--defsym=$s=vdso_pages)
linux-ldflags = $(filter-out --orphan-handling%,$(call vdso-ldflags,$1)) $(call linux-symbols,$1) \
	--version-script=$(linux-include)/linux.map
linux-needs = $(O)/$1/command $(O)/$1/cc-options $(linux-source) \
	$(wildcard $(addprefix $(linux-include)/,*.h *.mk *.map */*.h */*/*.h))

# Changes when another archive is named, or when it has come since.
$(linux-source).archive: FORCE
	$(call vdso-note-change,$(COST_SOURCE) $(wildcard $(COST_SOURCE)))
$(linux-source): $(linux-source).archive $(wildcard $(COST_SOURCE)) $(srctree)/tools/cost/linux/unpack
	$(call say,UNPACK,$@)
	@mkdir -p $(@D)
	$(Q)$(srctree)/tools/cost/linux/unpack $@ $(COST_SOURCE)

# Without the source there is a file "missing" that says so, and no image.
define linux-reader
$(cost-dir)/$1/linux/done: $(call linux-needs,$1) $(O)/$1/vdso.lds $(O)/$1/lib/vdso/note.o
	$$(call say,LINUX,$$@)
	@rm -rf $$(@D) && mkdir -p $$(@D)
	$$(Q)if [ -e $(linux-source)/missing ]; then cp $(linux-source)/missing $$@; exit; fi; set -e; \
	$$($1-cc) $$(call linux-cflags,$1) $$(call linux-cppflags,$1) $$(linux-include-types) \
		$$(call linux-generic,$1) -c -o $$(@D)/reader.o $(linux-source)/$(linux-$1-file); \
	$(if $(linux-$1-more),$$($1-cc) $$(call linux-cflags,$1) $$(call linux-cppflags,$1) -D__ASSEMBLY__ \
		-c -o $$(@D)/more.o $(linux-source)/$(linux-$1-more);) \
	$$(OBJCOPY) -R .altinstructions -R .altinstr_replacement $$(@D)/reader.o; \
	$$(LD) $$(call linux-ldflags,$1) -T $(O)/$1/vdso.lds -o $$(@D)/vdso.so $$(@D)/*.o \
		$(O)/$1/lib/vdso/note.o; \
	$$(call cost-cc,$1) -O2 -w -std=gnu11 -fno-pie $$(call linux-cppflags,$1) $$(linux-include-types) \
		-I$(srctree)/tools/cost -DLINUX_DATA_OFFSET=$(or $(linux-$(call linux-arch,$1)-offset),0) \
		-c -o $$(@D)/fill.o $(srctree)/tools/cost/fill-linux.c; \
	$$(call cost-link,$1) -o $$(@D)/call $$(call cost-sources,$1) $$(@D)/fill.o; \
	touch $$@
endef
