// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Everything in the caches: back-to-back calls in short batches.
 */
#include <stdlib.h>

#include <asm/vdso/counter.h>
#include <linux/counter_calibration.h>

#include "bench.h"

/*
 * A batch is long against the reads of the counter around it and short against
 * the time between two interrupts, so that nearly all batches are undisturbed.
 */
#define BATCH_NS	20000
#define BATCH_MIN	16
#define BATCH_MAX	10000
/* Caches and branch predictor still hold what the previous variant left. */
#define WARM_UP(n)	((n) / 8 + 1)

/* Calls that take about BATCH_NS, if @n calls take @cycles. */
static unsigned int batch_size(const struct bench *bench, uint64_t cycles, unsigned int n)
{
	double size = BATCH_NS / (cycles * bench->ns_per_cycle / n);

	return size < BATCH_MIN ? BATCH_MIN : size > BATCH_MAX ? BATCH_MAX : (unsigned int)size;
}

static float per_call(const struct bench *bench, uint64_t cycles, unsigned int n)
{
	return (float)(cycles * bench->ns_per_cycle / n);
}

typedef uint64_t (*bare_fn)(unsigned int n);

static float time_bare(const struct bench *bench, bare_fn bare)
{
	unsigned int n = batch_size(bench, bare(64), 64);

	bare(WARM_UP(n));
	return per_call(bench, bare(n), n);
}

static float time_call(const struct bench *bench, const struct bench_call *call, unsigned int n)
{
	bench_batch(call, WARM_UP(n));
	return per_call(bench, bench_batch(call, n), n);
}

static const struct { const char *name; bare_fn fn; } bare_reads[] = {
	{ "rdtsc (unordered)", bench_rdtsc },
	{ "lfence; rdtsc", bench_lfence_rdtsc },
	{ "rdtscp", bench_rdtscp },
};
#define BARE_READS	(sizeof(bare_reads) / sizeof(bare_reads[0]))

void bench_counter(struct bench *bench)
{
	struct bench_samples samples[BARE_READS];

	for (unsigned int i = 0; i < BARE_READS; i++)
		bench_samples_init(&samples[i], bench->options.rounds, 1u << BENCH_BARE);
	for (unsigned int round = 0; round < bench->options.rounds; round++) {
		bench_progress("counter", round, bench->options.rounds);
		for (unsigned int i = 0; i < BARE_READS; i++)
			samples[i].ns[BENCH_BARE][round] = time_bare(bench, bare_reads[i].fn);
	}
	for (unsigned int i = 0; i < BARE_READS; i++) {
		bench_add_row(bench, BENCH_COUNTER, NULL, bare_reads[i].name, &samples[i]);
		bench_samples_free(&samples[i]);
	}
}

/* Of the two ordered reads the one that is cheaper here: nothing ordered can be faster. */
static bare_fn cheapest_ordered(const struct bench *bench)
{
	float lfence = 1e9f, tscp = 1e9f;

	for (int i = 0; i < 50; i++) {
		float a = time_bare(bench, bench_lfence_rdtsc);
		float b = time_bare(bench, bench_rdtscp);

		lfence = a < lfence ? a : lfence;
		tscp = b < tscp ? b : tscp;
	}
	return lfence <= tscp ? bench_lfence_rdtsc : bench_rdtscp;
}

struct hot_subject {
	struct bench_samples	samples;
	unsigned int		size[BENCH_TIMENS + 1];
};

static void hot_prepare(const struct bench *bench, const struct bench_subject *subject,
			struct hot_subject *hot)
{
	unsigned int variants = subject->hres ? 1u << BENCH_BARE : 0;

	for (int v = 0; v <= BENCH_TIMENS; v++) {
		if (!subject->call[v].fn)
			continue;
		variants |= 1u << v;
		bench_batch(&subject->call[v], 64);
		hot->size[v] = batch_size(bench, bench_batch(&subject->call[v], 64), 64);
	}
	bench_samples_init(&hot->samples, bench->options.rounds, variants);
}

/* Every other round goes the other way, so that nobody always comes after the same neighbour. */
static void hot_round(const struct bench *bench, const struct bench_subject *subject,
		      struct hot_subject *hot, bare_fn bare, unsigned int round)
{
	for (int i = 0; i <= BENCH_TIMENS; i++) {
		int v = round % 2 ? BENCH_TIMENS - i : i;

		if (hot->size[v])
			hot->samples.ns[v][round] =
				time_call(bench, &subject->call[v], hot->size[v]);
	}
	if (subject->hres)
		hot->samples.ns[BENCH_BARE][round] = time_bare(bench, bare);
}

void bench_hot(struct bench *bench)
{
	struct hot_subject *hot = calloc(bench->subject_count, sizeof(*hot));
	bare_fn bare = cheapest_ordered(bench);

	if (!hot)
		bench_die(1, "not enough memory");
	for (unsigned int i = 0; i < bench->subject_count; i++)
		hot_prepare(bench, &bench->subjects[i], &hot[i]);
	for (unsigned int round = 0; round < bench->options.rounds; round++) {
		bench_progress("hot", round, bench->options.rounds);
		bench_refresh(bench);
		for (unsigned int i = 0; i < bench->subject_count; i++)
			hot_round(bench, &bench->subjects[i], &hot[i], bare, round);
	}
	for (unsigned int i = 0; i < bench->subject_count; i++) {
		bench_add_row(bench, BENCH_HOT, &bench->subjects[i], NULL, &hot[i].samples);
		bench_samples_free(&hot[i].samples);
	}
	free(hot);
}

/* Converting counter values to ns in the program itself, without the vDSO. */
static struct counter_calibration calibration;

#define CONVERT_LOOP(name, read)						\
static uint64_t name(unsigned int n)						\
{										\
	const struct counter_clock clock = calibration.monotonic;		\
	uint64_t start = counter_read_ordered();				\
										\
	for (unsigned int i = 0; i < n; i++) {					\
		uint64_t ns = counter_clock_ns(&clock, read);			\
										\
		__asm__ __volatile__("" :: "r"((long)ns));			\
	}									\
	return counter_read_ordered() - start;					\
}

CONVERT_LOOP(convert_unordered, counter_read())
CONVERT_LOOP(convert_ordered, counter_read_ordered())

static const struct { const char *name; bare_fn ours, bare; } conversions[] = {
	{ "counter_clock_ns(counter_read())", convert_unordered, bench_rdtsc },
	{ "counter_clock_ns(counter_read_ordered())", convert_ordered, bench_lfence_rdtsc },
};

/* False, and said why: the image has none, because its clocks do not go by the TSC. */
static bool get_calibration(const struct bench *bench)
{
	uint64_t offset = vdso_image_symbol(&bench->image, "__vdso_counter_calibration");
	counter_calibration_fn get = (counter_calibration_fn)(uintptr_t)
				     (bench->plain.base + offset);
	int err;

	if (!offset)
		bench_die(1, "%s exports no __vdso_counter_calibration: it is older than this "
			  "program; build it again", bench->image_path);
	err = get(&calibration);
	if (!err)
		return true;
	if (bench->options.scenarios == 1u << BENCH_CALIBRATION)
		bench_die(1, "no calibration: %s", counter_calibration_error(err));
	fprintf(stderr, "vdso-bench: the calibration was not measured: %s\n",
		counter_calibration_error(err));
	return false;
}

void bench_calibration(struct bench *bench)
{
	if (!get_calibration(bench))
		return;
	for (unsigned int i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
		struct bench_samples samples;

		bench_samples_init(&samples, bench->options.rounds,
				   1u << BENCH_OURS | 1u << BENCH_BARE);
		for (unsigned int round = 0; round < samples.rounds; round++) {
			bench_progress("calibration", round, samples.rounds);
			samples.ns[BENCH_OURS][round] = time_bare(bench, conversions[i].ours);
			samples.ns[BENCH_BARE][round] = time_bare(bench, conversions[i].bare);
		}
		bench_add_row(bench, BENCH_CALIBRATION, NULL, conversions[i].name, &samples);
		bench_samples_free(&samples);
	}
}
