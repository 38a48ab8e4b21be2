# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The images of x86. Variables are explained in lib/vdso/image.mk.

x86-abis := x86_64 x32 i386
x86-triple := x86_64-linux-gnu

# Debian keeps <asm/*.h> in the 64-bit ABI's folder; the other two share it.
x86-cflags := -fcf-protection=full -mgeneral-regs-only -idirafter /usr/include/x86_64-linux-gnu

x86_64-cflags := -m64 -mred-zone $(x86-cflags)
x86_64-emulation := elf_x86_64

x32-cflags := -mx32 -mred-zone $(x86-cflags)
x32-emulation := elf32_x86_64

# i686: CET's landing pads are no-operations from there on.
# Only the 64-bit ABIs have a red zone. GCC would use one here too if asked to, and
# the first signal would overwrite what is kept there.
i386-cflags := -m32 -mno-red-zone -march=i686 $(x86-cflags)
i386-emulation := elf_i386
i386-soname := linux-gate.so.1
i386-objs := arch/x86/vdso/vsyscall-i386.o arch/x86/vdso/sigreturn-i386.o
