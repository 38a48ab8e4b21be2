# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Which ABIs are built, and by which compilers. What people type is as in Linux:
#
#   ARCH=             only this architecture
#   CROSS_COMPILE=    prefix of its compiler; CROSS_COMPILE_COMPAT= that of its 32-bit ABI
#   LLVM=1            clang and LLVM's tools; LLVM=-16: with that suffix; LLVM=/dir/: from there
#   CC= LD= OBJCOPY=  one program
#
# Sets hostarch; $(vdso-arch), the folder that ARCH means; for each ABI <abi>-cc, and
# <abi>-run, what a program for it is started by (nothing where the machine itself can).

include $(sort $(wildcard $(srctree)/arch/*/vdso/abi.mk))
all-archs := $(patsubst $(srctree)/arch/%/vdso/abi.mk,%,$(wildcard $(srctree)/arch/*/vdso/abi.mk))
all-abis := $(foreach a,$(all-archs),$($a-abis))
# What an architecture and its ABIs have unless abi.mk says otherwise.
$(foreach a,$(all-archs),$(eval $a-qemu ?= qemu-$(firstword $(subst -, ,$($a-triple)))-static))
$(foreach a,$(all-archs),$(foreach abi,$($a-abis),\
	$(eval $(abi)-arch ?= $a)$(eval $(abi)-soname ?= linux-vdso.so.1)\
	$(eval $(abi)-config ?= CONFIG_VDSO_ABI_$(shell echo $(abi) | tr a-z A-Z))))

# Linux's names and uname's to the folder's.
arch-folder = $(patsubst riscv64,riscv,$(patsubst aarch64,arm64,$(patsubst armv%,arm,$(patsubst i%86,x86,$(patsubst x86_64,x86,$1)))))
hostarch := $(call arch-folder,$(shell uname -m))
vdso-arch := $(call arch-folder,$(ARCH))
ifneq ($(filter-out $(all-archs),$(vdso-arch))$(word 2,$(vdso-arch)),)
$(error ARCH='$(ARCH)' is not an architecture that is here: there are $(all-archs))
endif
# The tools and tests run on this machine: with another ARCH only images are built.
ARCH-foreign := $(filter-out $(hostarch),$(vdso-arch))
ifneq ($(if $(ARCH),,$(CROSS_COMPILE)$(CROSS_COMPILE_COMPAT)),)
$(error CROSS_COMPILE names the compilers of one architecture: say which by ARCH=)
endif

llvm-dir := $(filter %/,$(LLVM))
llvm-suffix := $(filter -%,$(LLVM))
ifeq ($(origin CC),default)
CC := $(if $(LLVM),$(llvm-dir)clang$(llvm-suffix),gcc)
endif
ifeq ($(origin LD),default)
LD := $(if $(LLVM),$(llvm-dir))ld.lld$(if $(LLVM),$(llvm-suffix))
endif
# One for all architectures, which GNU's is not.
OBJCOPY ?= $(if $(LLVM),$(llvm-dir))llvm-objcopy$(if $(LLVM),$(llvm-suffix))

# clang is every machine's compiler; a GCC is one machine's, and its name says which.
cc-is-clang := $(findstring clang,$(notdir $(lastword $(CC))))
cc-prefix = $(or $(if $(filter $1,$(vdso-arch)),$(CROSS_COMPILE),$(CROSS_COMPILE_COMPAT)),$($1-triple)-)
cc-gcc = $(if $(findstring $1,$(CC)),$(CC),\
	$(filter-out $(lastword $(CC)),$(CC)) $1$(notdir $(lastword $(CC))))
# $1: the folder of the hooks
arch-cc = $(strip $(if $(cc-is-clang),$(CC) $(if $(filter $1,$(hostarch)),,--target=$($1-triple)),\
	$(if $(CROSS_COMPILE)$(filter-out $1,$(hostarch)),$(call cc-gcc,$(call cc-prefix,$1)),$(CC))))

$(foreach abi,$(all-abis),\
	$(eval $(abi)-cc := $(call arch-cc,$($(abi)-arch)))\
	$(eval $(abi)-run := $(if $(filter-out $(hostarch),$($(abi)-arch)),$($($(abi)-arch)-qemu))))

# What was said of the compiler, if anything.
cc-said := $(strip $(foreach v,CC LLVM CROSS_COMPILE CROSS_COMPILE_COMPAT,\
	$(if $(filter command environment,$(firstword $(origin $v))),$v='$($v)')))
comma := ,
# A shell command: that the ABI's compiler is there.
compiler-there = @command -v $(firstword $($1-cc)) > /dev/null || { \
	echo "There is no $(firstword $($1-cc)), the compiler for $1$(if $(cc-said),: it follows from $(cc-said))." \
	"$(if $(cc-said),Correct that or install it,Type 'scripts/with-deps make')," \
	"or switch the ABI off in 'make menuconfig'$(if \
	$(filter $(hostarch),$(all-archs)),$(comma) or say ARCH=$(hostarch))." >&2; exit 1; }

# The same of the linker, if it is not the one for all machines.
linker-links = $(if $(findstring lld,$(notdir $(firstword $(LD)))),,@$(LD) -V 2>&1 | grep -qw -e $($1-emulation) || { \
	echo "LD='$(LD)' does not link for $1: take ld.lld, or say by ARCH= for which architecture it does." >&2; exit 1; })
