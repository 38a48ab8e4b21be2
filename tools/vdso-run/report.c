// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What vdso-run says.
 */
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include "clock_thread.h"
#include "count.h"
#include "run.h"

void report(const char *format, ...)
{
	char line[1024] = "vdso-run: ";
	const int prefix = 10, room = (int)sizeof(line) - 1 - prefix;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line + prefix, (size_t)room, format, args);
	va_end(args);
	length = prefix + (length < room ? length : room - 1);
	line[length++] = '\n';
	/* In one piece, as others may write to the same terminal. */
	if (write(STDERR_FILENO, line, (size_t)length) < 0)
		return;		/* nobody listens */
}

static double seconds(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/* Since this process, the supervisor, was started. */
static double running_seconds(const struct run *run)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - run->begin.tv_sec) +
	       (double)(now.tv_nsec - run->begin.tv_nsec) / 1e9;
}

static void report_clock(const struct run *run)
{
	double running = running_seconds(run), cpu = cpu_seconds();
	struct clock_lag lag;

	clock_thread_lag(&lag);
	if (lag.updates)
		report("coarse clocks trailed the kernel's by at most %u us in half of %llu "
		       "updates, %u us in 99 %%, %u us at worst", lag.median_us,
		       (unsigned long long)lag.updates, lag.most_us, lag.max_us);
	report("the supervisor used %.2f %% of a CPU (%.3f s of %.3f s)",
	       100 * cpu / running, cpu, running);
}

void report_at_exit(const struct run *run)
{
	if (!run->served && !run->not_served)
		return;		/* the program could not be started, and that has been said */
	if (run->options.verbose) {
		report("%u programs served, %u not", run->served, run->not_served);
		report_clock(run);
	}
	if (run->options.count)
		count_report(run);
}
