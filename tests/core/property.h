/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tests of properties: many random and edge cases, one line of TAP for each
 * property. The cases are the same in every run; SEED=number tries others, and
 * ROUNDS=percent fewer of them or more.
 */
#ifndef TESTS_PROPERTY_H
#define TESTS_PROPERTY_H

#include <vdso/types.h>
#include "effort.h"
#include "random.h"
#include "tap.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static u64 random_first;
static unsigned long cases, failures;
static int rounds_percent;

/* To be called first. */
static inline void random_seed(void)
{
	const char *seed = getenv("SEED");

	random_first = strtoull(seed ? seed : "1", NULL, 0);
	random_state = random_first;
	rounds_percent = effort_percent();
}

/* How often to try what is tried @full times on a CPU that is not emulated. */
static inline int rounds(int full)
{
	int some = (int)((s64)full * rounds_percent / 100);

	return some > 0 ? some : 1;
}

/* 0 to @limit - 1. */
static inline u64 random_below(u64 limit)
{
	return random_u64() % limit;
}

/* A number of random length, up to @bits bits: small ones are as likely as large ones. */
static inline u64 random_bits(unsigned int bits)
{
	unsigned int length = (unsigned int)random_below(bits + 1);

	return length ? random_u64() >> (64 - length) : 0;
}

/* One case of a property; the first few that fail are described. */
#define expect(condition, ...) \
	do { \
		cases++; \
		if (!(condition) && failures++ < 5) \
			diag(__VA_ARGS__); \
	} while (0)

/* All cases of a property have been tried. */
static inline bool conclude(const char *property)
{
	bool held = ok(cases && !failures, "%s (%lu cases)", property, cases);

	if (!held)
		diag("%lu of them failed with SEED=%llu", failures, random_first);
	cases = failures = 0;
	return held;
}

#endif /* TESTS_PROPERTY_H */
