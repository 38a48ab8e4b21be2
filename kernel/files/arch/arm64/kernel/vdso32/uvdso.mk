# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Included by the Makefile of the 32-bit vDSO image when it has listed its objects: with
# CONFIG_UVDSO ours take the place of the readers among them.

ifdef CONFIG_UVDSO

c-obj-vdso-gettimeofday := uvdso-entry.o uvdso-calibration.o

# Would be included in front of them.
c-gettimeofday-y :=

# A section for each function: the linker script leaves out those that are not exported.
VDSO_CFLAGS_gettimeofday_o := -DVDSO_ARM64_COMPAT -fomit-frame-pointer -funwind-tables \
	-ffunction-sections

# First of all: this folder's headers say that AArch32 programs are those of arch/arm.
$(addprefix $(obj)/,$(c-obj-vdso-gettimeofday)): \
	VDSO_CFLAGS := -I$(srctree)/arch/arm64/kernel/vdso32/include $(VDSO_CFLAGS)

endif
