// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Samples and what is told of them. Medians, because a benchmark on a shared
 * machine has outliers in one direction only; ratios within a round, because the
 * speed of the machine drifts and what was measured within a millisecond drifts
 * together.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

void bench_samples_init(struct bench_samples *samples, unsigned int rounds, unsigned int variants)
{
	*samples = (struct bench_samples){ .rounds = rounds };
	for (int v = 0; v < BENCH_VARIANTS; v++) {
		if (!(variants & 1u << v))
			continue;
		samples->ns[v] = calloc(rounds, sizeof(*samples->ns[v]));
		if (!samples->ns[v])
			bench_die(1, "not enough memory for %u rounds: take fewer (--rounds)", rounds);
	}
}

void bench_samples_free(struct bench_samples *samples)
{
	for (int v = 0; v < BENCH_VARIANTS; v++)
		free(samples->ns[v]);
	*samples = (struct bench_samples){ 0 };
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static float *sorted_copy(const float *values, unsigned int count)
{
	float *copy = malloc(count * sizeof(*copy));

	if (!copy)
		bench_die(1, "not enough memory for %u rounds: take fewer (--rounds)", count);
	memcpy(copy, values, count * sizeof(*copy));
	qsort(copy, count, sizeof(*copy), compare_floats);
	return copy;
}

struct bench_stats bench_stats(const float *ns, unsigned int count)
{
	float *sorted = sorted_copy(ns, count);
	struct bench_stats stats = {
		.min = sorted[0],
		.median = sorted[count / 2],
		.p99 = sorted[(uint64_t)count * 99 / 100],
		.max = sorted[count - 1],
		.samples = count,
	};

	free(sorted);
	return stats;
}

double bench_median_ratio(const float *a, const float *b, unsigned int count)
{
	float *ratios = malloc(count * sizeof(*ratios));
	double median;

	if (!ratios)
		bench_die(1, "not enough memory for %u rounds: take fewer (--rounds)", count);
	for (unsigned int i = 0; i < count; i++)
		ratios[i] = a[i] / b[i];
	qsort(ratios, count, sizeof(*ratios), compare_floats);
	median = ratios[count / 2];
	free(ratios);
	return median;
}

struct bench_row *bench_add_row(struct bench *bench, enum bench_scenario scenario,
				const struct bench_subject *subject, const char *name,
				const struct bench_samples *samples)
{
	static const struct { enum bench_variant over, under; } ratios[BENCH_RATIOS] = {
		[RATIO_HOST] = { BENCH_HOST, BENCH_OURS },
		[RATIO_BARE] = { BENCH_OURS, BENCH_BARE },
		[RATIO_SYSCALL] = { BENCH_SYSCALL, BENCH_OURS },
		[RATIO_TIMENS] = { BENCH_TIMENS, BENCH_OURS },
		[RATIO_QUIET] = { BENCH_OURS, BENCH_QUIET },
	};
	struct bench_row *row;

	if (bench->row_count == BENCH_MAX_ROWS)
		abort();
	row = &bench->rows[bench->row_count++];
	*row = (struct bench_row){ .scenario = scenario, .subject = subject, .name = name };
	for (int v = 0; v < BENCH_VARIANTS; v++)
		if (samples->ns[v] && samples->rounds)
			row->stats[v] = bench_stats(samples->ns[v], samples->rounds);
	for (int i = 0; i < BENCH_RATIOS; i++) {
		const float *over = samples->ns[ratios[i].over];
		const float *under = samples->ns[ratios[i].under];

		if (over && under)
			row->ratio[i] = bench_median_ratio(over, under, samples->rounds);
	}
	return row;
}
