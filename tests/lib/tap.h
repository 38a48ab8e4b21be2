/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * TAP, the Test Anything Protocol, for tests in C: one line per test on standard
 * output, a plan at the end. The exit status is 1 if a test failed.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int tap_count, tap_failed;

/* One test: @ok, and what it shows. Returns @ok. */
__attribute__((format(printf, 2, 3)))
static inline bool ok(bool ok, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	printf("%sok %d - ", ok ? "" : "not ", ++tap_count);
	vprintf(what, args);
	putchar('\n');
	fflush(stdout);
	va_end(args);
	tap_failed += !ok;
	return ok;
}

/* A test that can't run here, and why. */
static inline void tap_skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_count, what, why);
	fflush(stdout);
}

/* A remark, usually what a failed test saw. */
__attribute__((format(printf, 1, 2)))
static inline void diag(const char *what, ...)
{
	va_list args;

	va_start(args, what);
	printf("# ");
	vprintf(what, args);
	putchar('\n');
	fflush(stdout);
	va_end(args);
}

/* The plan; the value is main()'s. */
static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* TESTS_TAP_H */
