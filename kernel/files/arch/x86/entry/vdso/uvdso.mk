# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Included by the Makefile of the vDSO images when it has listed their objects:
# with CONFIG_UVDSO ours take the place of the readers among them.

ifdef CONFIG_UVDSO

uvdso-objs := uvdso-entry.o uvdso-calibration.o
uvdso-replaced := vclock_gettime.o vgetcpu.o

vobjs-y := $(filter-out $(uvdso-replaced),$(vobjs-y)) $(uvdso-objs)
vobjs32-y := $(filter-out $(addprefix vdso32/,$(uvdso-replaced)),$(vobjs32-y)) \
	$(addprefix vdso32/,$(uvdso-objs))

# A fast path that saves no register has no use for a frame pointer; unwind tables
# describe every instruction, in the 32-bit image too. It also has no -O2 of its own
# in a kernel that is optimised for size.
uvdso-cflags := -O2 -fomit-frame-pointer -fasynchronous-unwind-tables
# In user mode, where signals leave it alone. 64-bit only: the 32-bit ABI has none.
uvdso-cflags-64 := $(uvdso-cflags) -mred-zone

CFLAGS_uvdso-entry.o := $(uvdso-cflags-64)
CFLAGS_uvdso-calibration.o := $(uvdso-cflags-64)
CFLAGS_vdso32/uvdso-entry.o := $(uvdso-cflags)
CFLAGS_vdso32/uvdso-calibration.o := $(uvdso-cflags)

# Code of user mode is not for the kernel's tracers, and has nothing of the kernel's to leave
# on a stack.
uvdso-remove := $(CC_FLAGS_FTRACE) -ftrivial-auto-var-init=zero \
	-ftrivial-auto-var-init=pattern -fzero-call-used-regs=used-gpr

CFLAGS_REMOVE_uvdso-entry.o := $(uvdso-remove)
CFLAGS_REMOVE_uvdso-calibration.o := $(uvdso-remove)
CFLAGS_REMOVE_vdso32/uvdso-entry.o := $(uvdso-remove)
CFLAGS_REMOVE_vdso32/uvdso-calibration.o := $(uvdso-remove)

endif
