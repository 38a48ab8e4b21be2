# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Included by the Makefile of the vDSO image when it has listed its objects: with
# CONFIG_UVDSO ours take the place of the readers among them.

ifdef CONFIG_UVDSO

obj-vdso := $(filter-out vgettimeofday.o,$(obj-vdso)) uvdso-entry.o uvdso-calibration.o

# A section for each function: the linker script leaves out those that are not exported.
# Data are less than 1 MiB away: one instruction gives their address.
uvdso-cflags := -O2 -mcmodel=tiny -fomit-frame-pointer -foptimize-sibling-calls \
	-fasynchronous-unwind-tables -ffunction-sections

CFLAGS_uvdso-entry.o := $(uvdso-cflags)
CFLAGS_uvdso-calibration.o := $(uvdso-cflags)

# Code of user mode is not for the kernel's tracers, shadow call stacks and plugins, and
# the linker of the image is not that of the kernel. It has nothing of the kernel's to leave
# on a stack.
uvdso-remove := $(CC_FLAGS_FTRACE) -Os $(CC_FLAGS_SCS) $(RANDSTRUCT_CFLAGS) \
	$(GCC_PLUGINS_CFLAGS) $(CC_FLAGS_LTO) $(CC_FLAGS_CFI) \
	-ftrivial-auto-var-init=zero -ftrivial-auto-var-init=pattern \
	-fzero-call-used-regs=used-gpr

CFLAGS_REMOVE_uvdso-entry.o := $(uvdso-remove)
CFLAGS_REMOVE_uvdso-calibration.o := $(uvdso-remove)

endif
