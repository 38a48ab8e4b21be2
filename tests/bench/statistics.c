// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The statistics of vdso-bench on samples with known answers: a benchmark with a
 * wrong median is wrong everywhere.
 */
#include <math.h>
#include <stdlib.h>

#include "../../tools/vdso-bench/bench.h"
#include "../lib/tap.h"

void bench_die(int status, const char *what, ...)
{
	printf("Bail out! %s\n", what);
	exit(status);
}

static bool is(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* 1 to @count, in an order that is neither sorted nor reversed. */
static void fill(float *ns, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		ns[i] = (float)(1 + i * 5 % count);
}

static void test_stats(void)
{
	float one[1] = { 5 }, many[1001];
	struct bench_stats stats = bench_stats(one, 1);

	ok(is(stats.min, 5) && is(stats.median, 5) && is(stats.p99, 5) && is(stats.max, 5) &&
	   stats.samples == 1, "one sample is its own minimum, median and maximum");
	fill(many, 1001);
	stats = bench_stats(many, 1001);
	ok(is(stats.min, 1), "minimum of 1 to 1001");
	ok(is(stats.median, 501), "median of 1 to 1001");
	ok(is(stats.p99, 991), "991 of 1 to 1001 is where 99 %% are below");
	ok(is(stats.max, 1001) && stats.samples == 1001, "maximum and number of 1 to 1001");
	ok(is(many[0], 1) && is(many[1], 6), "the samples keep their order");
}

/*
 * The machine is of another speed in every round, and one round was disturbed. The
 * quotient of the medians, 20 / 100, comes from different rounds.
 */
static void test_ratio(void)
{
	const float slow[] = { 20, 2, 9, 200, 2000 }, fast[] = { 10, 1, 100, 100, 1000 };

	ok(is(bench_median_ratio(slow, fast, 5), 2), "the ratio is that within the rounds");
}

static void test_row(void)
{
	static struct bench bench;
	static const float ns[BENCH_VARIANTS] = {
		[BENCH_OURS] = 10, [BENCH_HOST] = 15, [BENCH_SYSCALL] = 100,
		[BENCH_TIMENS] = 11, [BENCH_BARE] = 8, [BENCH_QUIET] = 5,
	};
	struct bench_samples samples;
	const struct bench_row *row;

	bench_samples_init(&samples, 3, (1u << BENCH_VARIANTS) - 1);
	for (int v = 0; v < BENCH_VARIANTS; v++)
		for (int i = 0; i < 3; i++)
			samples.ns[v][i] = ns[v] * (float)(i + 1);
	row = bench_add_row(&bench, BENCH_HOT, NULL, "x", &samples);
	ok(is(row->ratio[RATIO_HOST], 1.5), "host against ours: above 1 is faster than the host");
	ok(is(row->ratio[RATIO_SYSCALL], 10), "system call against ours");
	ok(is(row->ratio[RATIO_BARE], 1.25), "ours against the bare read");
	ok(is(row->ratio[RATIO_TIMENS], 1.1), "time namespace against ours");
	ok(is(row->ratio[RATIO_QUIET], 2), "ours against the quiet page");
	ok(is(row->stats[BENCH_HOST].median, 30), "each variant has its own samples");
	bench_samples_free(&samples);

	bench_samples_init(&samples, 3, 1u << BENCH_OURS);
	samples.ns[BENCH_OURS][0] = 1;
	row = bench_add_row(&bench, BENCH_HOT, NULL, "y", &samples);
	ok(bench.row_count == 2 && is(row->ratio[RATIO_HOST], 0) &&
	   !row->stats[BENCH_HOST].samples, "no ratio to what was not measured");
	bench_samples_free(&samples);
}

int main(void)
{
	test_stats();
	test_ratio();
	test_row();
	return tap_done();
}
