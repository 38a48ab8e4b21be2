# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The images of arm64. Variables are explained in lib/vdso/image.mk. The 32-bit one has the hooks of
# arch/arm.

arm64-abis := arm64 arm64_compat
arm64-triple := aarch64-linux-gnu
arm64-big-qemu := qemu-aarch64_be-static

# Whoever asks for kernels of one page size gets images for those.
arm64-page-bytes = $(if $(CONFIG_VDSO_ARM64_64K_PAGES),65536,$(if $(CONFIG_VDSO_ARM64_16K_PAGES),16384,4096))

# The platform may use x18 (a shadow call stack). Data are less than 1 MiB away: one instruction
# gives their address.
arm64-cflags = $(if $(CONFIG_VDSO_ARM64_BIG_ENDIAN),-mbig-endian,-mlittle-endian) \
	-mgeneral-regs-only -ffixed-x18 -mbranch-protection=standard -mcmodel=tiny \
	-idirafter /usr/aarch64-linux-gnu/include
arm64-emulation = $(if $(CONFIG_VDSO_ARM64_BIG_ENDIAN),aarch64linuxb,aarch64linux)
arm64-objs := arch/arm64/vdso/sigreturn.o
arm64-page-size = $(arm64-page-bytes)

# From the hooks of arch/arm, for CPUs that are ARMv8 and pages of the size above.
arm64_compat-arch := arm
arm64_compat-cflags = -march=armv8-a -DVDSO_ARM64_COMPAT $(arm-common-cflags)
arm64_compat-emulation := armelf_linux_eabi
arm64_compat-objs = $(arm-common-objs)
arm64_compat-page-size = $(arm64-page-bytes)
arm64_compat-map := arm
