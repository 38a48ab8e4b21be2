// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * All results as JSON. The fields are described in Documentation/benchmark.md.
 */
#include <sys/utsname.h>

#include "bench.h"
#include "host_cpu.h"

static const char *const variant_key[BENCH_VARIANTS] = {
	[BENCH_OURS] = "ours", [BENCH_HOST] = "host", [BENCH_SYSCALL] = "syscall",
	[BENCH_TIMENS] = "timens", [BENCH_BARE] = "bare", [BENCH_QUIET] = "quiet",
};

static const char *const ratio_key[BENCH_RATIOS] = {
	[RATIO_HOST] = "host/ours", [RATIO_BARE] = "ours/bare", [RATIO_SYSCALL] = "syscall/ours",
	[RATIO_TIMENS] = "timens/ours", [RATIO_QUIET] = "ours/quiet",
};

static void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", *text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

/* A member of the enclosing object, with a comma behind it. */
static void json_member(FILE *out, const char *key, const char *text)
{
	fprintf(out, "  \"%s\": ", key);
	json_string(out, text);
	fputs(",\n", out);
}

static void json_variants(FILE *out, const struct bench_row *row)
{
	const char *separator = "";

	fputs(", \"ns\": {", out);
	for (int v = 0; v < BENCH_VARIANTS; v++) {
		const struct bench_stats *stats = &row->stats[v];

		if (!stats->samples)
			continue;
		fprintf(out, "%s\"%s\": {\"min\": %.3f, \"median\": %.3f, \"p99\": %.3f, "
			"\"max\": %.3f, \"samples\": %u}", separator, variant_key[v],
			stats->min, stats->median, stats->p99, stats->max, stats->samples);
		separator = ", ";
	}
	fputs("}, \"ratio\": {", out);
	separator = "";
	for (int i = 0; i < BENCH_RATIOS; i++) {
		if (!(row->ratio[i] > 0))
			continue;
		fprintf(out, "%s\"%s\": %.4f", separator, ratio_key[i], row->ratio[i]);
		separator = ", ";
	}
	fputs("}", out);
}

static void json_row(FILE *out, const struct bench_row *row)
{
	fprintf(out, "    {\"scenario\": \"%s\", \"name\": ", bench_scenario_name[row->scenario]);
	if (row->subject) {
		json_string(out, row->subject->function);
		if (row->subject->clock_name)
			fprintf(out, ", \"clock\": \"%s\"", row->subject->clock_name);
	} else {
		json_string(out, row->name);
	}
	if (row->note[0]) {
		fputs(", \"note\": ", out);
		json_string(out, row->note);
	}
	json_variants(out, row);
	fputs("}", out);
}

void bench_json(const struct bench *bench, FILE *out)
{
	char source[256];
	struct utsname system;

	host_clock_describe(&bench->host, source, sizeof(source));
	uname(&system);
	fputs("{\n", out);
	json_member(out, "image", bench->image_path);
	json_member(out, "abi", sizeof(long) == 8 ? "x86_64" : "i386");
	json_member(out, "kernel", system.release);
	json_member(out, "parameters", source);
	json_member(out, "counter", host_cpu_counter_name(bench->tk.real.mode));
	fprintf(out, "  \"cpus\": %u,\n  \"rounds\": %u,\n  \"ns_per_cycle\": %.9f,\n",
		bench->cpu_count, bench->options.rounds, bench->ns_per_cycle);
	fputs("  \"results\": [\n", out);
	for (unsigned int i = 0; i < bench->row_count; i++) {
		json_row(out, &bench->rows[i]);
		fputs(i + 1 < bench->row_count ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
}
