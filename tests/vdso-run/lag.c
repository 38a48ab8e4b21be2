// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage: lag SECONDS
 *
 * Watches CLOCK_MONOTONIC_COARSE by system call and by the C library. Prints how long
 * after the one the other has moved on, in us:
 *
 *	late by at most 0.2 us in half of 999 updates, 35.1 us in 99 %, 51.0 us at worst
 */
#include <stdio.h>
#include <stdlib.h>
#include "by.h"

#define MOST	100000

static int compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static long long late[MOST];
	long long now, seen, last, end;
	size_t updates = 0;

	if (argc != 2)
		errx(2, "usage: lag SECONDS");
	now = by_library(CLOCK_MONOTONIC);
	end = now + (long long)(atof(argv[1]) * 1e9);
	last = by_syscall(CLOCK_MONOTONIC_COARSE);
	while (now < end && updates < MOST) {
		long long next = by_syscall(CLOCK_MONOTONIC_COARSE);

		now = by_library(CLOCK_MONOTONIC);
		if (next == last)
			continue;
		seen = now;
		while (by_library(CLOCK_MONOTONIC_COARSE) < next)
			now = by_library(CLOCK_MONOTONIC);
		late[updates++] = now - seen;
		last = by_syscall(CLOCK_MONOTONIC_COARSE);
	}
	if (!updates)
		errx(1, "the coarse clock stands still");
	qsort(late, updates, sizeof(late[0]), compare);
	printf("late by at most %.1f us in half of %zu updates, %.1f us in 99 %%, %.1f us at worst\n",
	       late[updates / 2] / 1e3, updates, late[updates * 99 / 100] / 1e3,
	       late[updates - 1] / 1e3);
	return 0;
}
