// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * "mrrc p15, 1, <low>, <high>, c14" reads CNTVCT, with 9 for the 1 it reads CNTVCTSS
 * (Arm ARM, DDI 0406, MRRC: encodings T1 and A1 have the same fields in the same places).
 */
#include <stddef.h>
#include <linux/types.h>
#include <asm/sigcontext.h>
#include <asm/signal.h>
#include <asm-generic/ucontext.h>	/* arm's begins in the same way, and is not in the UAPI */

#include "trap.h"

#define MRRC_MASK	0x0ff00fff	/* all but the condition and the two registers */
#define MRRC_CNTVCT	0x0c500f1e
#define MRRC_CNTVCTSS	0x0c500f9e
#define CPSR_THUMB	(1u << 5)

/* An instruction of four bytes; the halves of a Thumb one lie the other way round. */
static __u32 instruction(const struct sigcontext *m)
{
	const __u16 *half = (const void *)m->arm_pc;

	if (m->arm_cpsr & CPSR_THUMB)
		return (__u32)half[0] << 16 | half[1];
	return (__u32)half[1] << 16 | half[0];
}

bool trap_emulate(void *ucontext, unsigned long long count)
{
	struct sigcontext *m = &((struct ucontext *)ucontext)->uc_mcontext;
	unsigned long *registers = &m->arm_r0;
	__u32 word = instruction(m);

	if ((word & MRRC_MASK) != MRRC_CNTVCT && (word & MRRC_MASK) != MRRC_CNTVCTSS)
		return false;
	registers[word >> 12 & 15] = (__u32)count;
	registers[word >> 16 & 15] = (__u32)(count >> 32);
	m->arm_pc += 4;
	return true;
}
