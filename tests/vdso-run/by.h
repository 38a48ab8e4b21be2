/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A clock by system call and by the C library, in ns; one that fails ends the program. */
#ifndef TESTS_VDSO_RUN_BY_H
#define TESTS_VDSO_RUN_BY_H

#include <err.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline long long to_ns(struct timespec ts)
{
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static inline long long by_syscall(int id)
{
	struct timespec ts;

	if (syscall(SYS_clock_gettime, id, &ts))
		err(1, "clock %d", id);
	return to_ns(ts);
}

static inline long long by_library(int id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts))
		err(1, "clock %d", id);
	return to_ns(ts);
}

#endif /* TESTS_VDSO_RUN_BY_H */
