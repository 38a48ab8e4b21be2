/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * How much of what a test could try it tries: ROUNDS=percent. Emulated machines get less.
 */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#include <stdlib.h>

static inline int effort_percent(void)
{
	const char *percent = getenv("ROUNDS");

	return atoi(percent ? percent : "100");
}

#endif /* TESTS_EFFORT_H */
