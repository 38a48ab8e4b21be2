/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls of x86.
 *
 * 64-bit and x32: SYSCALL; number in rax, arguments in rdi, rsi, rdx; result in
 * rax; rcx and r11 are lost (System V ABI, AMD64 supplement, A.2). x32 numbers
 * carry bit 30, the UAPI headers set it.
 * 32-bit: INT 0x80; number in eax, arguments in ebx, ecx, edx; result in eax, all
 * else is kept. It works on every CPU and needs no choice at run time.
 *
 * All report errors as -1 to -4095.
 */
#ifndef ASM_X86_VDSO_SYSCALL_H
#define ASM_X86_VDSO_SYSCALL_H

#include <vdso/layout.h>

#define arch_vdso_syscall arch_vdso_syscall
static __always_inline __kernel_long_t arch_vdso_syscall(long nr, long a, long b, long c)
{
	__kernel_long_t ret;	/* wider than a long on x32: time() needs it */

#ifdef __x86_64__
	const __kernel_ulong_t zero = 0;	/* x32: makes 64-bit numbers of 32-bit ones */

	__asm__ __volatile__("syscall" : "=a"(ret)
			     : "a"(nr), "D"((unsigned long)a + zero), "S"((unsigned long)b + zero),
			       "d"((unsigned long)c + zero)
			     : "rcx", "r11", "memory");
#else
	__asm__ __volatile__("int $0x80" : "=a"(ret)
			     : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
#endif
	return ret;
}

/*
 * Linux keeps (node << 12 | cpu) of the current CPU in MSR_TSC_AUX, which RDPID
 * reads, and in the limit of a segment, which LSL reads: GDT entry 15 of a
 * 64-bit kernel, 28 of a 32-bit one. Both are single instructions, so the answer
 * is of one moment.
 */
#define VDSO_CPU_RDPID		1u
#define VDSO_CPU_LSL		2u	/* cpu_arg: the selector */
#define VDSO_CPU_BITS		12

#define arch_vdso_getcpu arch_vdso_getcpu
static __always_inline bool
arch_vdso_getcpu(const struct vdso_page *page, u32 *cpu, u32 *node)
{
	u32 mode = page->cpu_mode;
	__kernel_ulong_t value;	/* RDPID takes a register of the mode's full width */

	if (likely(mode == VDSO_CPU_RDPID))
		__asm__ __volatile__("rdpid %0" : "=r"(value));
	else if (mode == VDSO_CPU_LSL)
		__asm__ __volatile__("lsl %1, %0"
				     : "=r"(value) : "r"((__kernel_ulong_t)page->cpu_arg));
	else
		return false;
	*cpu = value & ((1u << VDSO_CPU_BITS) - 1);
	*node = (u32)value >> VDSO_CPU_BITS;
	return true;
}

#ifdef __i386__
/*
 * The address of the data relative to the instruction pointer: GCC would call a
 * thunk for it and keep the table's address too. A call to the next instruction
 * is what CPUs recognise as a way to read eip: it takes no place in the return
 * predictor nor on the shadow stack (Intel SDM volume 1, "Shadow Stack").
 * The call moves the stack pointer, on which the unwind table counts.
 */
#define arch_vdso_mapping arch_vdso_mapping
static __always_inline const struct vdso_page *arch_vdso_mapping(void)
{
	const struct vdso_page *pages;

	__asm__("call 1f\n\t"
		".cfi_adjust_cfa_offset 4\n"
		"1:\tpopl %0\n\t"
		".cfi_adjust_cfa_offset -4\n\t"
		"addl $vdso_pages - 1b, %0" : "=r"(pages) :: "cc");
	return pages;
}
#endif

/* The 64-bit ABI has the plain names too, as weak symbols; x32 and i386 never had. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCH_VDSO_WEAK_NAMES	1
#endif

/* The name that the counter calibration has had on x86 from the start. */
#define ARCH_VDSO_CALIBRATION_NAME	__vdso_linux_tsc_calibration

#endif /* ASM_X86_VDSO_SYSCALL_H */
