// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A 32-bit x86 program that ends at once: whether the kernel starts such. */
#include <asm/unistd_32.h>

void _start(void)
{
	__asm__ volatile("int $0x80" : : "a"(__NR_exit), "b"(0));
}
