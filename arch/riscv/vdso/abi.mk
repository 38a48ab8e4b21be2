# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The ABIs of RISC-V.

riscv-abis := riscv64
riscv-triple := riscv64-linux-gnu

# No floating-point registers, which signal handlers and callers own. The image suits
# programs of every floating-point convention, as it has no such argument.
# -mno-relax: nothing reads the global pointer, and no linker has to shorten code.
# -mno-save-restore: registers are not saved by functions of a library.
riscv64-cflags := -march=rv64imac -mabi=lp64 -mno-relax -mno-save-restore \
	-idirafter /usr/riscv64-linux-gnu/include
riscv64-emulation := elf64lriscv
riscv64-objs := arch/riscv/vdso/calls.o
