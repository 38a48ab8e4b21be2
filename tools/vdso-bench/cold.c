// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The data out of the caches: what a call costs a program that asks for the time
 * now and then. Each call is timed by itself; the two ordered counter reads
 * around it are part of the result.
 */
#include "bench.h"

#define LINE_SIZE	64
/* Of our page all clock records, of the host's its two timekeeper blocks. */
#define OUR_BYTES	sizeof(struct vdso_page)
#define HOST_BYTES	1024
/* The counter may advance in steps of 10 ns: a sample is the mean of a few calls. */
#define CALLS_PER_SAMPLE	8

static void flush(const char *from, size_t size)
{
	for (size_t i = 0; i < size; i += LINE_SIZE) {
		/* Intel SDM volume 2, CLFLUSH: the line leaves every cache of the machine. */
		__asm__ __volatile__("clflush %0" :: "m"(from[i]) : "memory");
	}
}

static uint64_t time_flushed_once(const struct bench *bench, const struct bench_call *call)
{
	union bench_result result;

	flush((const char *)bench->plain.pages, OUR_BYTES);
	flush(bench->host_page, HOST_BYTES);
	/* Intel SDM volume 2, MFENCE: later loads wait until the flushes are done. */
	__asm__ __volatile__("mfence" ::: "memory");
	return bench_once(call, &result);
}

static float time_flushed(const struct bench *bench, const struct bench_call *call)
{
	uint64_t cycles = 0;

	for (int i = 0; i < CALLS_PER_SAMPLE; i++)
		cycles += time_flushed_once(bench, call);
	return (float)(cycles * bench->ns_per_cycle / CALLS_PER_SAMPLE);
}

static void flushed_subject(struct bench *bench, const struct bench_subject *subject)
{
	struct bench_samples samples;

	bench_samples_init(&samples, bench->options.rounds, 1u << BENCH_OURS | 1u << BENCH_HOST);
	bench_refresh(bench);
	for (unsigned int round = 0; round < samples.rounds; round++)
		for (int i = 0; i < 2; i++) {
			int v = (round + (unsigned int)i) % 2 ? BENCH_HOST : BENCH_OURS;

			samples.ns[v][round] = time_flushed(bench, &subject->call[v]);
		}
	bench_add_row(bench, BENCH_FLUSHED, subject, NULL, &samples);
	bench_samples_free(&samples);
}

void bench_flushed(struct bench *bench)
{
	if (!bench->host_page) {
		fprintf(stderr, "vdso-bench: scenario flushed left out: the host's data page is not "
			"known here, so it can't be flushed\n");
		return;
	}
	for (unsigned int i = 0; i < bench->subject_count; i++) {
		const struct bench_subject *subject = &bench->subjects[i];

		bench_progress("flushed", i, bench->subject_count);
		if (subject->reads_time && subject->call[BENCH_HOST].fn)
			flushed_subject(bench, subject);
	}
}
