// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The arithmetic beyond 64 bits that the readers and the writer use, against the
 * test's own exact arithmetic, and that against the compiler's where it has any.
 */
#include <vdso/arith.h>
#include "exact.h"
#include "property.h"

#define ROUNDS	rounds(1000000)

/* Mostly numbers of random length, often one next to a power of two. */
static u64 operand(void)
{
	switch (random_below(4)) {
	case 0:
		return ((u64)1 << random_below(64)) + random_below(3) - 1;
	case 1:
		return ~random_bits(64);
	}
	return random_bits(64);
}

static bool same(struct vdso_u128 a, struct exact b)
{
	return a.hi == exact_high(b) && a.lo == exact_low(b);
}

static struct exact to_exact(struct vdso_u128 a)
{
	return (struct exact){ { (u32)a.lo, (u32)(a.lo >> 32), (u32)a.hi, (u32)(a.hi >> 32) } };
}

static void test_products(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		u64 a = operand(), b = operand();

		expect(same(vdso_mul_64_64(a, b), exact_mul_add(a, b, 0)),
		       "vdso_mul_64_64(%#llx, %#llx)", a, b);
		expect(same(vdso_mul_64_32(a, (u32)b), exact_mul_add(a, (u32)b, 0)),
		       "vdso_mul_64_32(%#llx, %#x)", a, (u32)b);
	}
	conclude("products are exact");
}

static void test_sums(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct vdso_u128 a = { operand(), operand() };
		u64 b = operand();

		expect(same(vdso_add_128_64(a, b), exact_add(to_exact(a), b)),
		       "vdso_add_128_64({ %#llx, %#llx }, %#llx)",
		       a.hi, a.lo, b);
	}
	conclude("sums are exact");
}

static void test_shifts(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct vdso_u128 a = { operand(), operand() };
		u32 shift = (u32)i % 64;
		expect(same(vdso_shr_128(a, shift), exact_shift_right(to_exact(a), shift)),
		       "vdso_shr_128({ %#llx, %#llx }, %u)", a.hi, a.lo, shift);
		shift %= 32;
		expect(vdso_shr_long(a.lo, shift) == (unsigned long)(a.lo >> shift),
		       "vdso_shr_long(%#llx, %u)", a.lo, shift);
	}
	conclude("shifts are exact");
}

/* Divisors of all 32 bits: vdso_max_delta() divides by mult. */
static void test_division(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct vdso_u128 a = { operand() & operand(), operand() };
		u32 divisor = random_below(4) ? (u32)operand() : NSEC_PER_SEC;
		u32 rest, expected_rest;
		u64 quotient, expected;

		if (!divisor)
			continue;
		quotient = vdso_divmod(a, divisor, &rest);
		expected = exact_low(exact_divide(to_exact(a), divisor, &expected_rest));
		expect(quotient == expected && rest == expected_rest,
		       "vdso_divmod({ %#llx, %#llx }, %u) = %#llx rest %u",
		       a.hi, a.lo, divisor, quotient, rest);
	}
	conclude("quotients and remainders are exact");
}

#ifdef __SIZEOF_INT128__
static unsigned __int128 wide(struct exact a)
{
	return (unsigned __int128)exact_high(a) << 64 | exact_low(a);
}

static void test_reference(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		u64 a = operand(), b = operand(), c = operand();
		struct exact sum = exact_mul_add(a, b, c);
		unsigned __int128 n = (unsigned __int128)a * b + c;
		u32 divisor = (u32)operand() | 1, rest;

		expect(wide(sum) == n, "product and sum");
		expect(wide(exact_add(sum, c)) == n + c, "sum");
		expect(wide(exact_shift_right(sum, i % 128)) == n >> i % 128, "shift");
		expect(wide(exact_divide(sum, divisor, &rest)) == n / divisor, "quotient");
		expect(rest == n % divisor, "remainder");
	}
	conclude("the tests' reference agrees with the compiler's 128-bit integers");
}
#else
/* The 64-bit build of this test checks the very same code. */
static void test_reference(void)
{
}
#endif

int main(void)
{
	random_seed();
	test_reference();
	test_products();
	test_sums();
	test_shifts();
	test_division();
	return tap_done();
}
