/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The SplitMix64 generator of Steele, Lea and Flood (OOPSLA 2014).
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <vdso/types.h>

static u64 random_state;

static inline u64 random_u64(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

#endif /* TESTS_RANDOM_H */
