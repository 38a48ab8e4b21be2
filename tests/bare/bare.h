/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a test has that is linked with no C library: TAP, random numbers and the system
 * calls of the hooks. So it is made by the very flags of an image, and there is one for
 * every ABI that has a compiler and a kernel or an emulator.
 */
#ifndef TESTS_BARE_H
#define TESTS_BARE_H

#include <vdso/hooks.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * bare_test() - the test: runs once, after which the program prints its plan and ends
 */
void bare_test(void);

/**
 * ok() - one line of TAP
 * @ok:		whether the test passed
 * @what:	what it shows
 */
void ok(bool ok, const char *what);

/**
 * skip() - a test that can't be made
 * @what:	what it would show
 * @why:	the reason
 */
void skip(const char *what, const char *why);

/**
 * give_up() - end the program because nothing further can be tested
 */
void give_up(const char *why) __attribute__((__noreturn__));

/**
 * expect_numbers() - one case of a property; the first few that fail are described
 * @held:	whether it was as it should be
 * @what:	which case it is
 * @numbers:	what makes the case
 * @count:	how many
 */
void expect_numbers(bool held, const char *what, const u64 *numbers, unsigned int count);

#define expect(held, what, ...) do { \
	const u64 numbers_[] = { __VA_ARGS__ }; \
	expect_numbers(held, what, numbers_, ARRAY_SIZE(numbers_)); \
} while (0)

/**
 * conclude() - all cases of a property have been tried
 * @property:	what they show
 */
void conclude(const char *property);

/**
 * random_number() - a number of random length, often one next to a power of two
 *
 * The numbers are the same in every run.
 */
u64 random_number(void);

/**
 * random_upto() - 0 to @most
 */
u32 random_upto(u32 most);

#endif /* TESTS_BARE_H */
