# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The images for 32-bit ARM programs. Variables are explained in lib/vdso/image.mk. That under an
# arm64 kernel is in arch/arm64/vdso/abi.mk.

arm-abis := arm
arm-triple := arm-linux-gnueabihf

# Unwinders of this architecture read tables of their own (.ARM.exidx).
arm-common-cflags = $(if $(CONFIG_VDSO_ARM_THUMB),-mthumb,-marm) -mlittle-endian \
	-mfloat-abi=soft -funwind-tables -idirafter /usr/arm-linux-gnueabihf/include
arm-common-objs := arch/arm/vdso/attributes.o

arm-cflags = -march=armv7-a $(arm-common-cflags)
arm-emulation := armelf_linux_eabi
arm-objs := $(arm-common-objs)
