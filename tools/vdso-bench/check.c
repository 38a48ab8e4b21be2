// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Before anything is measured: does our image give the right answers? How fast
 * wrong ones come is of no interest.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define CHECK_TRIES	20
/*
 * How far the page may be off: where the host's own parameters can't be read,
 * the page follows a calibration by system calls.
 */
#define HRES_SLACK_NS	20000

static const char *const variant_name[] = {
	[BENCH_OURS] = "our image", [BENCH_TIMENS] = "our image in a time namespace",
};

/* ns since the clock's zero of what a call stored. */
static int64_t to_ns(const struct bench_subject *subject, const union bench_result *result)
{
	int64_t sec = subject->wide ? result->wide[0] : result->narrow[0];
	int64_t rest = subject->wide ? result->wide[1] : result->narrow[1];

	switch (subject->call[0].form) {
	case FORM_TIME:		return result->word[0] * INT64_C(1000000000);
	case FORM_TIMEVAL:	return sec * 1000000000 + rest * 1000;
	default:		return sec * 1000000000 + rest;
	}
}

static int64_t call_ns(const struct bench_subject *subject, enum bench_variant variant)
{
	union bench_result result;

	memset(&result, 0xff, sizeof(result));
	bench_once(&subject->call[variant], &result);
	return to_ns(subject, &result);
}

static int64_t offset_ns(struct vdso_offset offset)
{
	return offset.sec * 1000000000 + offset.nsec;
}

/*
 * What our answer is ahead of the system call's: by the benchmark's own time
 * namespace, and behind by the one that this process may be in, which our page
 * does not know of.
 */
static int64_t offset_to_syscall(const struct bench *bench, const struct bench_subject *subject,
				 enum bench_variant variant)
{
	const char *clock = subject->clock_name;
	int64_t ns = variant == BENCH_TIMENS ?
		BENCH_TIMENS_SEC * INT64_C(1000000000) + BENCH_TIMENS_NSEC : 0;

	if (!subject->reads_time || !clock)
		return 0;
	if (!strncmp(clock, "MONOTONIC", strlen("MONOTONIC")))
		return ns - offset_ns(bench->host.own_monotonic);
	if (!strncmp(clock, "BOOTTIME", strlen("BOOTTIME")))
		return ns - offset_ns(bench->host.own_boottime);
	return 0;
}

/* How much later than the system call's the answer may be; earlier, by a tick. */
static int64_t slack(const struct bench *bench, const struct bench_subject *subject)
{
	if (!subject->reads_time)
		return 0;
	return subject->hres ? HRES_SLACK_NS : 3 * (int64_t)bench->tk.coarse_res;
}

static void die_wrong(const struct bench *bench, const struct bench_subject *subject,
		      enum bench_variant variant, int64_t before, int64_t ns, int64_t after)
{
	char name[64];

	bench_die(1, "%s: %s (%s) says %lld ns, the system call %lld ns before and %lld ns after: "
		  "not measured, because the answers are wrong", bench->image_path,
		  bench_subject_name(subject, name), variant_name[variant],
		  (long long)ns, (long long)before, (long long)after);
}

static void check_time(struct bench *bench, const struct bench_subject *subject,
		       enum bench_variant variant)
{
	int64_t offset = offset_to_syscall(bench, subject, variant);
	int64_t slack_ns = slack(bench, subject);

	for (int i = 0; i < CHECK_TRIES; i++) {
		int64_t before, ns, after;

		bench_refresh(bench);
		before = call_ns(subject, BENCH_SYSCALL) + offset;
		ns = call_ns(subject, variant);
		after = call_ns(subject, BENCH_SYSCALL) + offset;
		/* time() has whole seconds: a tick's delay shows as one, for a few ms. */
		if (subject->call[0].form == FORM_TIME && ns == before - 1000000000 &&
		    i < CHECK_TRIES - 1) {
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
			continue;
		}
		if (ns < before - slack_ns || ns > after + slack_ns)
			die_wrong(bench, subject, variant, before, ns, after);
	}
}

/* The benchmark is pinned to one CPU, so the number can't change in between. */
static void check_cpu(struct bench *bench, const struct bench_subject *subject,
		      enum bench_variant variant)
{
	union bench_result expected, result;

	memset(&result, 0xff, sizeof(result));
	bench_once(&subject->call[BENCH_SYSCALL], &expected);
	bench_once(&subject->call[variant], &result);
	if (bench->cpu_count && memcmp(expected.narrow, result.narrow, sizeof(result.narrow)))
		bench_die(1, "%s: getcpu (%s) says CPU %d node %d, the system call %d and %d: "
			  "not measured, because the answers are wrong", bench->image_path,
			  variant_name[variant], result.narrow[0], result.narrow[1],
			  expected.narrow[0], expected.narrow[1]);
}

void bench_check(struct bench *bench)
{
	static const enum bench_variant variants[] = { BENCH_OURS, BENCH_TIMENS };

	for (unsigned int i = 0; i < bench->subject_count; i++) {
		for (unsigned int v = 0; v < 2; v++) {
			const struct bench_subject *subject = &bench->subjects[i];

			if (subject->call[0].form == FORM_GETCPU)
				check_cpu(bench, subject, variants[v]);
			else
				check_time(bench, subject, variants[v]);
		}
	}
}
