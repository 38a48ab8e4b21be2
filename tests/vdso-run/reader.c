// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage: reader SECONDS [BEHIND_NS]
 *
 * Reads clocks for SECONDS and compares each reading with system calls before and
 * after it. Prints "ready" at the beginning.
 *
 * BEHIND_NS: by how much a reading may be behind the system call before it.
 *
 * Exit status: 0; 1 and a sentence if a reading was wrong.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "by.h"

/* A page that nobody updates is behind by ever more. */
#define STALE_NS	500000000LL

static const struct {
	const char	*name;
	int		id;
	bool		coarse;
	bool		steady;	/* nobody can set it back */
} clocks[] = {
	{ "CLOCK_REALTIME", CLOCK_REALTIME, false, false },
	{ "CLOCK_MONOTONIC", CLOCK_MONOTONIC, false, true },
	{ "CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW, false, true },
	{ "CLOCK_BOOTTIME", CLOCK_BOOTTIME, false, true },
	{ "CLOCK_TAI", CLOCK_TAI, false, false },
	{ "CLOCK_REALTIME_COARSE", CLOCK_REALTIME_COARSE, true, false },
	{ "CLOCK_MONOTONIC_COARSE", CLOCK_MONOTONIC_COARSE, true, true },
};

#define CLOCKS	(sizeof(clocks) / sizeof(clocks[0]))

static long long allowed_behind;

/* What is wrong with one reading, NULL: nothing. */
static const char *look(size_t i, long long *off)
{
	static long long last[CLOCKS];
	long long before = by_syscall(clocks[i].id);
	long long now = by_library(clocks[i].id);
	long long after = by_syscall(clocks[i].id);
	long long previous = last[i];

	last[i] = now;
	*off = before - now;
	if (now > after) {
		*off = now - after;
		return "is ahead of the system call after it";
	}
	if (clocks[i].steady && now < previous) {
		*off = previous - now;
		return "went back";
	}
	if (clocks[i].coarse)
		return before - now > STALE_NS ? "is stale" : NULL;
	return before - now > allowed_behind ? "is behind the system call before it" : NULL;
}

int main(int argc, char **argv)
{
	long long end, off;

	if (argc < 2)
		errx(2, "usage: reader SECONDS [BEHIND_NS]");
	allowed_behind = argc > 2 ? atoll(argv[2]) : 0;
	end = by_syscall(CLOCK_MONOTONIC_RAW) + (long long)(atof(argv[1]) * 1e9);
	puts("ready");
	fflush(stdout);
	while (by_syscall(CLOCK_MONOTONIC_RAW) < end) {
		for (size_t i = 0; i < CLOCKS; i++) {
			const char *problem = look(i, &off);

			/* Somebody has set the clock: the page has to follow soon. */
			for (int try = 0; problem && !clocks[i].steady && try < 50; try++) {
				usleep(2000);
				problem = look(i, &off);
			}
			if (problem)
				errx(1, "%s %s by %lld ns", clocks[i].name, problem, off);
		}
		/* Not a busy loop: other tests run as well. */
		usleep(50);
	}
	return 0;
}
