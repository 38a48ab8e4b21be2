// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Results for people: the table, and the lines that vdsotest prints.
 */
#include <sys/utsname.h>

#include "bench.h"
#include "host_cpu.h"

/* A column: the median of a variant, or a ratio. */
struct column {
	const char	*title;
	int		variant;	/* -1: a ratio */
	int		ratio;
};

#define MEDIAN(title, variant)	{ title, variant, -1 }
#define RATIO(title, ratio)	{ title, -1, ratio }
#define MAX_COLUMNS		8

/* A column without a title ends the list. */
static const struct { const char *title; struct column column[MAX_COLUMNS]; }
tables[BENCH_SCENARIOS] = {
	[BENCH_COUNTER] = { "Bare counter reads", { MEDIAN("bare", BENCH_BARE) } },
	[BENCH_HOT] = { "Hot: back-to-back calls, everything in the caches", {
		MEDIAN("ours", BENCH_OURS), MEDIAN("host", BENCH_HOST),
		MEDIAN("syscall", BENCH_SYSCALL), MEDIAN("timens", BENCH_TIMENS),
		RATIO("host/ours", RATIO_HOST), RATIO("ours/bare", RATIO_BARE),
		RATIO("timens/ours", RATIO_TIMENS),
	} },
	[BENCH_FLUSHED] = { "Flushed: the data page out of the caches before each call", {
		MEDIAN("ours", BENCH_OURS), MEDIAN("host", BENCH_HOST),
		RATIO("host/ours", RATIO_HOST),
	} },
	[BENCH_THREADS] = { "Threads: all at the same time", {
		MEDIAN("ours", BENCH_OURS), MEDIAN("host", BENCH_HOST),
		RATIO("host/ours", RATIO_HOST),
	} },
	[BENCH_UPDATED] = { "Updated: our page is updated every millisecond meanwhile", {
		MEDIAN("ours", BENCH_OURS), MEDIAN("quiet", BENCH_QUIET),
		MEDIAN("host", BENCH_HOST), RATIO("ours/quiet", RATIO_QUIET),
		RATIO("host/ours", RATIO_HOST),
	} },
	[BENCH_PAGE] = { "Page: the writer's side", { MEDIAN("ours", BENCH_OURS) } },
	[BENCH_CALIBRATION] = { "Calibration: counter values converted by the program itself", {
		MEDIAN("ours", BENCH_OURS), MEDIAN("bare", BENCH_BARE),
		RATIO("ours/bare", RATIO_BARE),
	} },
};

static void print_cell(const struct bench_row *row, const struct column *column)
{
	double value = column->variant >= 0 ? row->stats[column->variant].median :
					      row->ratio[column->ratio];

	if (column->variant >= 0 ? !row->stats[column->variant].samples : !(value > 0))
		printf("  %11s", "-");
	else
		printf("  %11.*f", column->variant >= 0 ? 1 : 3, value);
}

static void print_row(const struct bench_row *row)
{
	const struct column *column = tables[row->scenario].column;
	char name[64];

	printf("  %-44s", row->subject ? bench_subject_name(row->subject, name) : row->name);
	for (int i = 0; i < MAX_COLUMNS && column[i].title; i++)
		print_cell(row, &column[i]);
	if (row->scenario == BENCH_PAGE) {
		const struct bench_stats *stats = &row->stats[BENCH_OURS];

		printf("  %11.1f  %11.1f", stats->p99, stats->max);
	}
	printf("%s%s\n", row->note[0] ? "  " : "", row->note);
}

static void print_head(enum bench_scenario scenario)
{
	const struct column *column = tables[scenario].column;

	printf("\n%s\n  %-44s", tables[scenario].title, "");
	for (int i = 0; i < MAX_COLUMNS && column[i].title; i++)
		printf("  %8s%s", column[i].title, column[i].variant >= 0 ? " ns" : "   ");
	if (scenario == BENCH_PAGE)
		printf("  %8s%s  %8s%s", "99 %", " ns", "max", " ns");
	putchar('\n');
}

void bench_report(const struct bench *bench)
{
	char source[256];
	struct utsname system;

	uname(&system);
	host_clock_describe(&bench->host, source, sizeof(source));
	printf("%s against the vDSO of Linux %s, %u-bit\n%s\n", bench->image_path, system.release,
	       (unsigned int)sizeof(long) * 8, source);
	printf("Our image reads the counter by %s. Medians of %u rounds; a ratio is the median of "
	       "the ratios within each round.\n", host_cpu_counter_name(bench->tk.real.mode),
	       bench->options.rounds);
	for (unsigned int i = 0; i < bench->row_count; i++) {
		const struct bench_row *row = &bench->rows[i];

		if (!i || row[-1].scenario != row->scenario)
			print_head(row->scenario);
		print_row(row);
	}
}

static void print_vdsotest(const char *api, const char *implementation,
			   const struct bench_stats *stats)
{
	if (stats->samples)
		printf("%s: %7s: %.0f nsec/call\n", api, implementation, stats->median);
	else
		printf("%s: %7s: not tested\n", api, implementation);
}

void bench_report_vdsotest(const struct bench *bench)
{
	for (unsigned int i = 0; i < bench->row_count; i++) {
		const struct bench_row *row = &bench->rows[i];

		if (row->scenario != BENCH_HOT || !row->subject->vdsotest[0])
			continue;
		print_vdsotest(row->subject->vdsotest, "syscall", &row->stats[BENCH_SYSCALL]);
		print_vdsotest(row->subject->vdsotest, "host", &row->stats[BENCH_HOST]);
		print_vdsotest(row->subject->vdsotest, "vdso", &row->stats[BENCH_OURS]);
	}
}
