// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A 32-bit x86 program, of i386 or x32, that ends at once: whether the kernel starts such. */
#include <asm/unistd.h>

void _start(void)
{
#ifdef __x86_64__
	__asm__ volatile("syscall" : : "a"(__NR_exit), "D"(0));
#else
	__asm__ volatile("int $0x80" : : "a"(__NR_exit), "b"(0));
#endif
}
