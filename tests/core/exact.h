/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Exact arithmetic for expected values, on every ABI: 128-bit numbers in 32-bit
 * limbs, by the pencil-and-paper methods. It shares nothing with vdso/arith.h;
 * where the compiler has 128-bit integers, arithmetic.c checks it against those.
 */
#ifndef TESTS_EXACT_H
#define TESTS_EXACT_H

#include <vdso/types.h>

struct exact {
	u32 limb[4];	/* the lowest first */
};

/* @a * @b + @c; the carry into a fifth limb is lost. */
static inline struct exact exact_mul_add(u64 a, u64 b, u64 c)
{
	u32 as[2] = { (u32)a, (u32)(a >> 32) };
	u32 bs[2] = { (u32)b, (u32)(b >> 32) };
	struct exact sum = { { (u32)c, (u32)(c >> 32), 0, 0 } };

	for (int i = 0; i < 2; i++) {
		u64 carry = 0;

		for (int j = 0; j < 2; j++) {
			carry += (u64)as[i] * bs[j] + sum.limb[i + j];
			sum.limb[i + j] = (u32)carry;
			carry >>= 32;
		}
		for (int j = i + 2; j < 4; j++) {
			carry += sum.limb[j];
			sum.limb[j] = (u32)carry;
			carry >>= 32;
		}
	}
	return sum;
}

static inline struct exact exact_add(struct exact a, u64 b)
{
	u64 carry = 0;

	for (int i = 0; i < 4; i++) {
		carry += a.limb[i];
		if (i < 2)
			carry += (u32)(b >> (32 * i));
		a.limb[i] = (u32)carry;
		carry >>= 32;
	}
	return a;
}

/* @shift: 0 to 127. */
static inline struct exact exact_shift_right(struct exact a, unsigned int shift)
{
	struct exact shifted = { { 0 } };
	unsigned int limbs = shift / 32, bits = shift % 32;

	for (unsigned int i = limbs; i < 4; i++) {
		u64 two = a.limb[i];

		if (i < 3)
			two |= (u64)a.limb[i + 1] << 32;
		shifted.limb[i - limbs] = (u32)(two >> bits);
	}
	return shifted;
}

/* Quotient; the remainder goes to *@rest. */
static inline struct exact exact_divide(struct exact a, u32 divisor, u32 *rest)
{
	u64 part = 0;

	for (int i = 3; i >= 0; i--) {
		part = part << 32 | a.limb[i];
		a.limb[i] = (u32)(part / divisor);
		part %= divisor;
	}
	*rest = (u32)part;
	return a;
}

static inline u64 exact_low(struct exact a)
{
	return (u64)a.limb[1] << 32 | a.limb[0];
}

static inline u64 exact_high(struct exact a)
{
	return (u64)a.limb[3] << 32 | a.limb[2];
}

#endif /* TESTS_EXACT_H */
