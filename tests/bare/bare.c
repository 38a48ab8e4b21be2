// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "../lib/random.h"
#include "bare.h"

void _start(void);
void *memset(void *to, int byte, size_t size);
void *memcpy(void *to, const void *from, size_t size);
int __clzdi2(u64 number);
void __aeabi_unwind_cpp_pr0(void);
void __aeabi_unwind_cpp_pr1(void);

static u32 tests, failed, cases, failures;

static void print(const char *text)
{
	size_t length = 0;

	while (text[length])
		length++;
	arch_vdso_syscall(__NR_write, 1, (long)text, (long)length);
}

/* In hexadecimal: a CPU may have no division. */
static void print_number(u64 number)
{
	char text[] = " 0x0000000000000000";

	for (char *digit = text + sizeof(text) - 2; number; number >>= 4)
		*digit-- = "0123456789abcdef"[number & 15];
	print(text);
}

static void print_test(bool ok, const char *what)
{
	tests++;
	print(ok ? "ok - " : "not ok - ");
	print(what);
}

void ok(bool ok, const char *what)
{
	failed += !ok;
	print_test(ok, what);
	print("\n");
}

void skip(const char *what, const char *why)
{
	print_test(true, what);
	print(" # SKIP ");
	print(why);
	print("\n");
}

static void __attribute__((__noreturn__)) end(int status)
{
	for (;;)
		arch_vdso_syscall(__NR_exit_group, status, 0, 0);
}

void give_up(const char *why)
{
	print("Bail out! ");
	print(why);
	print("\n");
	end(1);
}

void expect_numbers(bool held, const char *what, const u64 *numbers, unsigned int count)
{
	cases++;
	if (held || failures++ >= 5)
		return;
	print("# ");
	print(what);
	for (unsigned int i = 0; i < count; i++)
		print_number(numbers[i]);
	print("\n");
}

void conclude(const char *property)
{
	ok(cases && !failures, property);
	cases = failures = 0;
}

u32 random_upto(u32 most)
{
	return (u32)((random_u64() >> 32) * ((u64)most + 1) >> 32);
}

u64 random_number(void)
{
	u64 power = (u64)1 << random_upto(63);

	switch (random_upto(3)) {
	case 0:
		return power + random_upto(2) - 1;
	case 1:
		return ~(random_u64() & (power - 1));
	}
	return random_u64() & (power - 1);
}

/* The kernel begins a program here. */
void _start(void)
{
	bare_test();
	if (tests > 9)
		give_up("more tests than a digit counts");
	print((char[]){ '1', '.', '.', (char)('0' + tests), '\n', 0 });
	end(failed ? 1 : 0);
}

/* What compilers call where they like. */

void *memset(void *to, int byte, size_t size)
{
	for (char *at = to; size; size--) {
		*at++ = (char)byte;
		barrier();	/* or else a compiler makes a call of this function of it */
	}
	return to;
}

void *memcpy(void *to, const void *from, size_t size)
{
	const char *source = from;

	for (char *at = to; size; size--) {
		*at++ = *source++;
		barrier();
	}
	return to;
}

int __clzdi2(u64 number)
{
	int zeros = 0;

	for (; !(number >> 63); number <<= 1)
		zeros++;
	return zeros;
}

/* What ARM's unwind tables name; nobody unwinds here. */
void __aeabi_unwind_cpp_pr0(void)
{
}

void __aeabi_unwind_cpp_pr1(void)
{
}
