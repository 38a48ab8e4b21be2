// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The command line.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <asm/vdso/counter.h>

#include "bench.h"

#define DEFAULT_ROUNDS	1000
#define SHORT_ROUNDS	300
/* Every round is kept until the end. */
#define MAX_ROUNDS	100000
#define MAX_THREADS	256

const char *const bench_scenario_name[BENCH_SCENARIOS] = {
	[BENCH_COUNTER] = "counter",
	[BENCH_HOT] = "hot",
	[BENCH_FLUSHED] = "flushed",
	[BENCH_THREADS] = "threads",
	[BENCH_UPDATED] = "updated",
	[BENCH_PAGE] = "page",
	[BENCH_CALIBRATION] = "calibration",
};

static const char usage[] =
"Usage: vdso-bench [OPTION]...\n"
"Compares the functions of a uvdso image with those of the host's vDSO, with the\n"
"system calls and with bare counter reads, interleaved in one process.\n"
"\n"
"      --image FILE       the image (default: the one built or installed with\n"
"                         this program)\n"
"      --counter WAY      how our image reads the counter: lfence, rdtscp or\n"
"                         auto, the cheaper one (default)\n"
"      --rounds N         how often everything is measured (default 1000)\n"
"      --threads N        threads of scenario threads (default: one per CPU)\n"
"      --scenario NAME    only this one: counter, hot, flushed, threads,\n"
"                         updated, page or calibration; may be repeated\n"
"      --function NAME    only this function, say clock_gettime\n"
"      --clock NAME       only this clock, say MONOTONIC\n"
"      --short            counter, hot and flushed only, fewer rounds\n"
"      --json FILE        write all results to FILE, - for standard output\n"
"      --plot FILE        draw the latency distribution; FILE ends in .svg or .png\n"
"      --vdsotest         print the lines that vdsotest prints, not the table\n"
"      --help             print this and exit\n"
"      --version          print the version of the page layout and exit\n";

enum { OPT_IMAGE = 256, OPT_COUNTER, OPT_ROUNDS, OPT_THREADS, OPT_SCENARIO, OPT_FUNCTION,
       OPT_CLOCK, OPT_SHORT, OPT_JSON, OPT_PLOT, OPT_VDSOTEST, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
	{ "image", required_argument, NULL, OPT_IMAGE },
	{ "counter", required_argument, NULL, OPT_COUNTER },
	{ "rounds", required_argument, NULL, OPT_ROUNDS },
	{ "threads", required_argument, NULL, OPT_THREADS },
	{ "scenario", required_argument, NULL, OPT_SCENARIO },
	{ "function", required_argument, NULL, OPT_FUNCTION },
	{ "clock", required_argument, NULL, OPT_CLOCK },
	{ "short", no_argument, NULL, OPT_SHORT },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "plot", required_argument, NULL, OPT_PLOT },
	{ "vdsotest", no_argument, NULL, OPT_VDSOTEST },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

static unsigned int parse_number(const char *option, const char *text, unsigned int max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || !value || value > max)
		bench_die(2, "--%s %s: give a whole number from 1 to %u", option, text, max);
	return (unsigned int)value;
}

static uint32_t parse_counter(const char *text)
{
	if (!strcmp(text, "lfence"))
		return VDSO_MODE_TSC_LFENCE;
	if (!strcmp(text, "rdtscp"))
		return VDSO_MODE_TSC_RDTSCP;
	if (strcmp(text, "auto"))
		bench_die(2, "--counter %s: give lfence, rdtscp or auto", text);
	return 0;
}

static unsigned int parse_scenario(const char *text)
{
	for (unsigned int i = 0; i < BENCH_SCENARIOS; i++)
		if (!strcmp(text, bench_scenario_name[i]))
			return 1u << i;
	bench_die(2, "--scenario %s: give counter, hot, flushed, threads, updated, page or "
		  "calibration", text);
}

static const char *parse_plot(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot || (strcmp(dot, ".svg") && strcmp(dot, ".png")))
		bench_die(2, "--plot %s: give a file name that ends in .svg or .png", path);
	return path;
}

static void parse_option(struct bench_options *options, int option)
{
	switch (option) {
	case OPT_IMAGE:		options->image = optarg; break;
	case OPT_COUNTER:	options->counter = parse_counter(optarg); break;
	case OPT_ROUNDS:	options->rounds = parse_number("rounds", optarg, MAX_ROUNDS); break;
	case OPT_THREADS:	options->threads = parse_number("threads", optarg, MAX_THREADS);
				break;
	case OPT_SCENARIO:	options->scenarios |= parse_scenario(optarg); break;
	case OPT_FUNCTION:	options->function = optarg; break;
	case OPT_CLOCK:		options->clock = optarg; break;
	case OPT_JSON:		options->json = optarg; break;
	case OPT_PLOT:		options->plot = parse_plot(optarg); break;
	case OPT_VDSOTEST:	options->vdsotest = true; break;
	case OPT_HELP:
		fputs(usage, stdout);
		exit(0);
	case OPT_VERSION:
		printf("vdso-bench, page layout version %u\n", VDSO_LAYOUT_VERSION);
		exit(0);
	default:	/* getopt has said what is wrong */
		fprintf(stderr, "Try vdso-bench --help.\n");
		exit(2);
	}
}

static void fill_defaults(struct bench_options *options, bool is_short)
{
	if (!options->rounds)
		options->rounds = is_short ? SHORT_ROUNDS : DEFAULT_ROUNDS;
	if (!options->scenarios)
		options->scenarios = is_short ?
			1u << BENCH_COUNTER | 1u << BENCH_HOT | 1u << BENCH_FLUSHED :
			(1u << BENCH_SCENARIOS) - 1;
}

void bench_parse(struct bench_options *options, int argc, char **argv)
{
	bool is_short = false;
	int option;

	*options = (struct bench_options){ 0 };
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == OPT_SHORT)
			is_short = true;
		else
			parse_option(options, option);
	}
	if (optind < argc)
		bench_die(2, "%s: no argument is expected; try vdso-bench --help", argv[optind]);
	if (options->vdsotest && options->json && !strcmp(options->json, "-"))
		bench_die(2, "--vdsotest and --json - both go to standard output: "
			  "give --json a file");
	fill_defaults(options, is_short);
	if (options->vdsotest && !(options->scenarios & 1u << BENCH_HOT))
		bench_die(2, "--vdsotest prints what scenario hot measures: add --scenario hot");
}
