// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage: call IMAGE FUNCTION CLOCK
 *
 * Maps an image at a place that the counter of instructions knows, fills its page,
 * and calls one function once. Prints where the image is, what the function
 * returned and the time that it gave; then what is right: the page's seconds of
 * CLOCK_REALTIME and CLOCK_MONOTONIC, its nanoseconds, and those that the counter
 * made of them before and after the call.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vdso/hooks.h>

#include "image.h"
#include "fill.h"
#include "trap/trap.h"

/* Mapping and image lie from here on; vdso-cost looks there. */
#define CALL_PLACE	0x50000000ul

/* A clock so slow that no call comes late for the second that the page begins with. */
#define CALL_MULT	(1u << 17)
#define CALL_SHIFT	24

struct call_result {
	long		returned;
	long long	sec;
	long		fraction;
};

static void on_sigill(int signal, siginfo_t *info, void *ucontext)
{
	static const char message[] = "call: an instruction that the emulator does not know\n";
	static unsigned long long count = 1ull << 40;

	count += 100;
	if (trap_emulate(ucontext, count))
		return;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(2);
	_exit(1);
}

/* What the page says. */
static struct cost_time page_time = {
	.mult = CALL_MULT, .shift = CALL_SHIFT,
	.real = 1700000000, .monotonic = 5000, .nsec = 1000000,
};

static bool fill(struct vdso_mapping *mapping)
{
	struct vdso_cycles cycles;

	if (!arch_vdso_read_counter(VDSO_MODE_ARCH, &cycles))
		return false;
	page_time.cycles = vdso_cycles_value(cycles);
	cost_fill(mapping->pages, &page_time);
	return true;
}

/* Nanoseconds within the page's second, now. */
static unsigned long long counted_nsec(void)
{
	struct vdso_cycles cycles = { 0 };

	arch_vdso_read_counter(VDSO_MODE_ARCH, &cycles);
	return page_time.nsec + ((vdso_cycles_value(cycles) - page_time.cycles) * CALL_MULT >>
				 CALL_SHIFT);
}

/* The C type of the time depends on the function alone. */
static struct call_result call(const char *name, uintptr_t function, long clock)
{
	long (*by_clock)(long, void *) = (long (*)(long, void *))function;
	long (*by_pointers)(void *, void *) = (long (*)(void *, void *))function;
	long long wide[2] = { 0 };
	long words[2] = { 0 };
	struct call_result result = { 0 };

	if (strstr(name, "64"))
		result.returned = by_clock(clock, wide);
	else if (strstr(name, "clock_"))
		result.returned = by_clock(clock, words);
	else
		result.returned = by_pointers(words, NULL);
	result.sec = wide[0] + words[0];
	result.fraction = (long)wide[1] + words[1];
	return result;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_sigill, .sa_flags = SA_SIGINFO };
	struct vdso_mapping mapping;
	struct vdso_image image;
	struct call_result result;
	unsigned long long before;
	uint64_t offset;
	char why[512];

	if (argc != 4) {
		fprintf(stderr, "usage: call IMAGE FUNCTION CLOCK\n");
		return 2;
	}
	sigaction(SIGILL, &action, NULL);
	if (vdso_image_open(&image, argv[1], why, sizeof(why))) {
		fprintf(stderr, "call: %s\n", why);
		return 1;
	}
	offset = vdso_image_symbol(&image, argv[2]);
	if (!offset) {
		fprintf(stderr, "call: %s exports no %s\n", argv[1], argv[2]);
		return 1;
	}
	if (vdso_image_map(&image, &mapping, CALL_PLACE)) {
		perror("call: cannot map the image");
		return 1;
	}
	if (!fill(&mapping)) {
		fprintf(stderr, "call: the architecture's first mode is no counter\n");
		return 1;
	}
	before = counted_nsec();
	result = call(argv[2], (uintptr_t)mapping.base + offset, strtol(argv[3], NULL, 10));
	printf("%#lx %ld %lld %ld %lld %lld %u %llu %llu\n", (unsigned long)mapping.base,
	       result.returned, result.sec, result.fraction,
	       page_time.real, page_time.monotonic, page_time.nsec, before, counted_nsec());
	return 0;
}
