/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Integer arithmetic that is exact beyond 64 bits and needs no compiler library:
 * a vDSO can't call __udivdi3 and its like, so nothing here divides 64-bit
 * values. Used off the fast path; every function takes the same time whatever
 * its arguments.
 */
#ifndef VDSO_ARITH_H
#define VDSO_ARITH_H

#include <vdso/types.h>

/**
 * struct vdso_u128 - an unsigned 128-bit number
 * @hi:	upper 64 bits
 * @lo:	lower 64 bits
 */
struct vdso_u128 {
	u64	hi;
	u64	lo;
};

/**
 * vdso_shr_long() - shift right, down to one register
 * @a:		any value
 * @shift:	0 to 31
 *
 * Return: @a >> @shift, as far as it fits an unsigned long. Knowing that the shift
 * is below 32 spares a 32-bit CPU half of the work (and ARM a library call); a
 * 64-bit one needs no mask.
 */
static __always_inline unsigned long vdso_shr_long(u64 a, u32 shift)
{
	return (unsigned long)(a >> (sizeof(long) == 4 ? shift & 31 : shift));
}

#ifdef __SIZEOF_INT128__
/* 64-bit CPUs multiply in an instruction or two, and every compiler knows them. */
static __always_inline struct vdso_u128 vdso_u128(unsigned __int128 a)
{
	return (struct vdso_u128){ .hi = (u64)(a >> 64), .lo = (u64)a };
}
#endif

/**
 * vdso_mul_64_32() - exact product
 * @a:	any value
 * @b:	any value
 *
 * Return: @a * @b, 96 bits at most.
 */
static __always_inline struct vdso_u128 vdso_mul_64_32(u64 a, u32 b)
{
#ifdef __SIZEOF_INT128__
	return vdso_u128((unsigned __int128)a * b);
#else
	u64 low = (u64)(u32)a * b;
	u64 high = (u64)(u32)(a >> 32) * b + (low >> 32);

	return (struct vdso_u128){ .hi = high >> 32, .lo = high << 32 | (u32)low };
#endif
}

/**
 * vdso_mul_64_64() - exact product
 * @a:	any value
 * @b:	any value
 *
 * Return: @a * @b.
 */
static __always_inline struct vdso_u128 vdso_mul_64_64(u64 a, u64 b)
{
#ifdef __SIZEOF_INT128__
	return vdso_u128((unsigned __int128)a * b);
#else
	struct vdso_u128 low = vdso_mul_64_32(a, (u32)b);
	struct vdso_u128 high = vdso_mul_64_32(a, (u32)(b >> 32));
	u64 lo = low.lo + (high.lo << 32);

	return (struct vdso_u128){
		.hi = low.hi + (high.hi << 32 | high.lo >> 32) + (lo < low.lo),
		.lo = lo,
	};
#endif
}

/**
 * vdso_add_128_64() - sum
 * @a:	any value
 * @b:	any value
 *
 * Return: @a + @b modulo 2^128.
 */
static __always_inline struct vdso_u128 vdso_add_128_64(struct vdso_u128 a, u64 b)
{
	u64 lo = a.lo + b;

	return (struct vdso_u128){ .hi = a.hi + (lo < b), .lo = lo };
}

/**
 * vdso_shr_128() - shift right
 * @a:		any value
 * @shift:	0 to 63
 *
 * Return: @a >> @shift.
 */
static __always_inline struct vdso_u128 vdso_shr_128(struct vdso_u128 a, u32 shift)
{
	/*
	 * In two steps: a shift by 64 is undefined. Not by __int128: some compilers
	 * call a library for that.
	 */
	return (struct vdso_u128){
		.hi = a.hi >> shift,
		.lo = a.lo >> shift | (a.hi << 1) << (63 - shift),
	};
}

/**
 * vdso_divmod() - long division, bit by bit
 * @a:		numerator
 * @divisor:	not 0
 * @remainder:	takes @a mod @divisor
 *
 * Return: @a / @divisor, its lower 64 bits.
 */
static __cold __maybe_unused u64
vdso_divmod(struct vdso_u128 a, u32 divisor, u32 *remainder)
{
	u64 quotient = 0;
	u64 rest = 0;	/* below 2 * @divisor: may take 33 bits */

	for (u32 bits = 128; bits; bits--) {
		rest = rest << 1 | a.hi >> 63;
		a = (struct vdso_u128){ .hi = a.hi << 1 | a.lo >> 63, .lo = a.lo << 1 };
		quotient <<= 1;
		if (rest >= divisor) {
			rest -= divisor;
			quotient |= 1;
		}
	}
	*remainder = (u32)rest;
	return quotient;
}

#endif /* VDSO_ARITH_H */
