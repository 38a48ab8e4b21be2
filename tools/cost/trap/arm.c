// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * "mrrc p15, 1, <low>, <high>, c14" reads CNTVCT, with 9 for the 1 it reads CNTVCTSS
 * (Arm ARM, DDI 0406, MRRC: encodings T1 and A1 have the same fields in the same places).
 */
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "trap.h"

#define MRRC_MASK	0x0ff00fff	/* all but the condition and the two registers */
#define MRRC_CNTVCT	0x0c500f1e
#define MRRC_CNTVCTSS	0x0c500f9e
#define CPSR_THUMB	(1u << 5)

/* An instruction of four bytes; the halves of a Thumb one lie the other way round. */
static uint32_t instruction(const mcontext_t *m)
{
	uint16_t half[2];

	memcpy(half, (const void *)m->arm_pc, sizeof(half));
	if (m->arm_cpsr & CPSR_THUMB)
		return (uint32_t)half[0] << 16 | half[1];
	return (uint32_t)half[1] << 16 | half[0];
}

bool cost_emulate(void *ucontext, unsigned long long count)
{
	mcontext_t *m = &((ucontext_t *)ucontext)->uc_mcontext;
	unsigned long *registers = &m->arm_r0;
	uint32_t word = instruction(m);

	if ((word & MRRC_MASK) != MRRC_CNTVCT && (word & MRRC_MASK) != MRRC_CNTVCTSS)
		return false;
	registers[word >> 12 & 15] = (uint32_t)count;
	registers[word >> 16 & 15] = (uint32_t)(count >> 32);
	m->arm_pc += 4;
	return true;
}
