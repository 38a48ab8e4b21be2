// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * timer-latency: the smallest interval that a program can measure. Reads a clock
 * back to back through the C library, so by whatever vDSO the process has, and
 * looks at the differences.
 *
 * It needs nothing but the C library: it also runs from an initramfs, on every
 * architecture.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEFAULT_SAMPLES	100000
#define MAX_SAMPLES	100000000
#define MAX_REPEAT	1000000

struct options {
	clockid_t	clock;
	unsigned long	samples;
	unsigned long	repeat;
	bool		dump;
};

/**
 * struct result - of one pass
 * @average:	ns per read
 * @smallest:	interval above 0 in ns, 0: there was none
 * @zero:	how often two readings were equal
 * @negative:	how often the later reading was the earlier time
 * @worst:	the most negative difference, in ns
 */
struct result {
	double		average;
	int64_t		smallest;
	unsigned long	zero;
	unsigned long	negative;
	int64_t		worst;
};

static const char usage[] =
"Usage: timer-latency [-m | -c ID] [-n SAMPLES] [-r REPEAT] [-d]\n"
"Reads a clock back to back and reports the average latency, the smallest interval,\n"
"zero and inconsistent (negative) differences. Exits with 1 if a difference was negative.\n"
"\n"
"  -m          CLOCK_MONOTONIC instead of CLOCK_MONOTONIC_RAW\n"
"  -c ID       the clock of this number\n"
"  -n SAMPLES  readings in one pass (default 100000)\n"
"  -r REPEAT   passes (default 1)\n"
"  -d          print every difference in ns, one a line, after each pass\n"
"  -h, --help  print this and exit\n";

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

__attribute__((format(printf, 2, 3), noreturn))
static void die(int status, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	fprintf(stderr, "timer-latency: ");
	vfprintf(stderr, what, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(status);
}

static long parse_number(char option, const char *text, long min, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < min || value > max)
		die(2, "-%c %s: give a whole number from %ld to %ld", option, text, min, max);
	return value;
}

static void parse(struct options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "mc:n:r:dh", long_options, NULL)) != -1) {
		switch (option) {
		case 'm': options->clock = CLOCK_MONOTONIC; break;
		case 'c': options->clock = (clockid_t)parse_number('c', optarg, INT32_MIN,
								   INT32_MAX); break;
		case 'n': options->samples = (unsigned long)parse_number('n', optarg, 2,
									 MAX_SAMPLES); break;
		case 'r': options->repeat = (unsigned long)parse_number('r', optarg, 1,
									MAX_REPEAT); break;
		case 'd': options->dump = true; break;
		case 'h': fputs(usage, stdout); exit(0);
		default: /* getopt has said what is wrong */
			fputs("Try timer-latency -h.\n", stderr);
			exit(2);
		}
	}
	if (optind < argc)
		die(2, "%s: no argument is expected; try timer-latency -h", argv[optind]);
}

static int64_t difference(const struct timespec *from, const struct timespec *to)
{
	return ((int64_t)to->tv_sec - from->tv_sec) * INT64_C(1000000000) +
	       (to->tv_nsec - from->tv_nsec);
}

/* Back to back: nothing happens in the loop but the reads. */
static void read_clock(clockid_t clock, struct timespec *times, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		clock_gettime(clock, &times[i]);
}

static struct result evaluate(const struct timespec *times, unsigned long count)
{
	struct result result = { 0 };

	for (unsigned long i = 1; i < count; i++) {
		int64_t ns = difference(&times[i - 1], &times[i]);

		if (!ns)
			result.zero++;
		if (ns < 0)
			result.negative++;
		if (ns < result.worst)
			result.worst = ns;
		if (ns > 0 && (!result.smallest || ns < result.smallest))
			result.smallest = ns;
	}
	result.average = (double)difference(&times[0], &times[count - 1]) / (double)(count - 1);
	return result;
}

static void print(const struct options *options, const struct result *result)
{
	printf("clock %d: average latency %.1f ns, smallest interval %lld ns, "
	       "%lu zero deltas, %lu inconsistent deltas", options->clock, result->average,
	       (long long)result->smallest, result->zero, result->negative);
	if (result->negative)
		printf(" (worst %lld ns)", (long long)result->worst);
	printf(", %lu samples\n", options->samples);
}

static void dump(const struct timespec *times, unsigned long count)
{
	for (unsigned long i = 1; i < count; i++)
		printf("%lld\n", (long long)difference(&times[i - 1], &times[i]));
}

int main(int argc, char **argv)
{
	struct options options = {
		.clock = CLOCK_MONOTONIC_RAW, .samples = DEFAULT_SAMPLES, .repeat = 1,
	};
	struct timespec *times;
	bool consistent = true;

	parse(&options, argc, argv);
	times = malloc(options.samples * sizeof(*times));
	if (!times)
		die(1, "not enough memory for %lu samples: take fewer (-n)", options.samples);
	if (clock_gettime(options.clock, &times[0]))
		die(2, "-c %d: this system has no such clock: %s", options.clock, strerror(errno));
	/* The first touch of a page of @times would be measured otherwise. */
	memset(times, 0, options.samples * sizeof(*times));
	for (unsigned long pass = 0; pass < options.repeat; pass++) {
		struct result result;

		read_clock(options.clock, times, options.samples);
		result = evaluate(times, options.samples);
		print(&options, &result);
		if (options.dump)
			dump(times, options.samples);
		consistent = consistent && !result.negative;
	}
	if (fflush(stdout))
		die(1, "standard output: %s", strerror(errno));
	return consistent ? 0 : 1;
}
