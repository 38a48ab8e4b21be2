// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Instructions per call of every function and clock, from its first instruction to its
 * return. Only under "qemu -icount shift=0,sleep=off -smp 1": there the guest's time
 * advances by a nanosecond for each instruction.
 *
 * Prints FUNCTION CLOCK INSTRUCTIONS, then the same of the system call, one a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

#define ROUNDS	15

/* How often in one round: a clock source may be as slow as 1 MHz. */
static unsigned int calls = 2000;

typedef long (*function)(long a, void *b);

/* For the loop around a call, less the call: this is one instruction, the return. */
static __attribute__((noinline, noclone)) void nothing(void)
{
	__asm__ __volatile__("");
}

static long gettime_syscall(long id, void *ts)
{
	return raw_syscall(vdso.pairs[0].gettime_nr, id, (long)ts, 0);
}

static long getres_syscall(long id, void *ts)
{
	return raw_syscall(vdso.pairs[0].getres_nr, id, (long)ts, 0);
}

static int64_t raw_ns(void)
{
	return syscall_ns(&vdso.pairs[CLOCK_PAIRS - 1], CLOCK_MONOTONIC_RAW);
}

/* Of all rounds the shortest: a timer's interrupt makes one longer. */
static double shortest(function f, long a, void *b)
{
	volatile function called = f;
	int64_t best = INT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t start = raw_ns(), ns;

		for (unsigned int i = 0; i < calls; i++)
			called(a, b);
		ns = raw_ns() - start;
		best = ns < best ? ns : best;
	}
	return (double)best / calls;
}

static void count(const char *name, const char *clock, void *f, long a, void *b)
{
	if (f)
		printf("%s %s %.1f\n", name, clock, shortest((function)f, a, b) -
		       shortest((function)(void *)nothing, a, b) + 1);
}

static void count_clocks(const char *name, void *f)
{
	static struct timespec_buffer ts;

	for (int i = 0; i < GUEST_CLOCKS; i++)
		if (has_clock(&guest_clocks[i]))
			count(name, guest_clocks[i].name, f, guest_clocks[i].id, &ts);
}

static void count_all(void)
{
	static struct timespec_buffer first, second;

	for (int p = 0; p < CLOCK_PAIRS; p++)
		count_clocks(vdso.pairs[p].gettime_name, (void *)vdso.pairs[p].gettime);
	for (int p = 0; p < CLOCK_PAIRS; p++)
		count(vdso.pairs[p].getres_name, "MONOTONIC", (void *)vdso.pairs[p].getres,
		      CLOCK_MONOTONIC, &first);
	count("gettimeofday", "-", (void *)vdso.gettimeofday, (long)&first, NULL);
	count("time", "-", (void *)vdso.time, 0, NULL);
	count("getcpu", "-", (void *)vdso.getcpu, (long)&first, &second);
	count_clocks("syscall:clock_gettime", (void *)gettime_syscall);
	count("syscall:clock_getres", "MONOTONIC", (void *)getres_syscall, CLOCK_MONOTONIC, &first);
}

int main(int argc, char **argv)
{
	guest_open(argc, argv);
	if (argc > 1 && atoi(argv[1]) > 0)
		calls = (unsigned int)atoi(argv[1]);
	if (!vdso.base || raw_ns() == INT64_MIN)
		return EXIT_FAILURE;
	count_all();
	return EXIT_SUCCESS;
}
