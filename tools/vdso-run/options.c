// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The command line of vdso-run.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vdso/hooks.h>
#include <vdso/layout.h>
#include "host_cpu.h"
#include "options.h"

static const char usage[] =
"Usage: vdso-run [OPTION]... PROGRAM [ARGUMENT]...\n"
"Runs a program, and all that it starts, on the uvdso image instead of the\n"
"kernel's own vDSO.\n"
"\n"
"  --image FILE              image to use; once for each ABI\n"
"  --clocksource auto|none   none: serve only clocks that need no counter\n"
"  --counter auto|lfence|rdtscp   how the time stamp counter is read\n"
"  --on-death syscall|kill   if the supervisor dies, programs go on by system\n"
"                            call (default) or are killed\n"
"  --calibrate               measure the clocks instead of reading [vvar]\n"
"  --count                   count the calls into the image (slow, exact; implies\n"
"                            --on-death kill)\n"
"  --verbose                 tell what is served from where, and how well\n"
"  --help, --version\n"
"\n"
"Exits with the program's status; 2: wrong usage, 125: vdso-run can't work here,\n"
"126: the program is not executable, 127: it was not found.\n";

enum {
	OPT_IMAGE = 256, OPT_CLOCKSOURCE, OPT_COUNTER, OPT_ON_DEATH, OPT_CALIBRATE, OPT_COUNT,
	OPT_VERBOSE, OPT_HELP, OPT_VERSION,
};

static const struct option long_options[] = {
	{ "image", required_argument, NULL, OPT_IMAGE },
	{ "clocksource", required_argument, NULL, OPT_CLOCKSOURCE },
	{ "counter", required_argument, NULL, OPT_COUNTER },
	{ "on-death", required_argument, NULL, OPT_ON_DEATH },
	{ "calibrate", no_argument, NULL, OPT_CALIBRATE },
	{ "count", no_argument, NULL, OPT_COUNT },
	{ "verbose", no_argument, NULL, OPT_VERBOSE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

/* The index of @value among @words. */
static int choose(const char *option, const char *value, const char *const words[], int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(value, words[i]))
			return i;
	errx(EXIT_USAGE, "--%s does not know \"%s\": see --help for what it takes", option, value);
}

static void add_image(struct options *options, const char *path)
{
	if (options->image_count == MAX_IMAGES)
		errx(EXIT_USAGE, "--image %s: that is more than %d images; one for each ABI is enough",
		     path, MAX_IMAGES);
	options->image[options->image_count++] = path;
}

static void set_counter(struct options *options, const char *value)
{
	static const char *const words[] = { "auto", "lfence", "rdtscp" };
	static const u32 modes[] = {
		VDSO_MODE_SYSCALL, VDSO_MODE_TSC_LFENCE, VDSO_MODE_TSC_RDTSCP,
	};

	options->counter = modes[choose("counter", value, words, 3)];
	if (options->counter == VDSO_MODE_TSC_RDTSCP && !host_cpu_has_counter(VDSO_MODE_TSC_RDTSCP))
		errx(EXIT_SELF, "--counter rdtscp: this CPU has no RDTSCP instruction; use lfence");
}

static void take(struct options *options, int option)
{
	static const char *const clocksources[] = { "auto", "none" };
	static const char *const deaths[] = { "syscall", "kill" };

	switch (option) {
	case OPT_IMAGE:
		return add_image(options, optarg);
	case OPT_CLOCKSOURCE:
		options->no_counter = choose("clocksource", optarg, clocksources, 2);
		return;
	case OPT_COUNTER:
		return set_counter(options, optarg);
	case OPT_ON_DEATH:
		options->kill_on_death = choose("on-death", optarg, deaths, 2) || options->count;
		return;
	case OPT_CALIBRATE:
		options->calibrate = true;
		return;
	case OPT_COUNT:
		/* Nobody could answer the breakpoints of a program that lives on. */
		options->count = true;
		options->kill_on_death = true;
		return;
	case OPT_VERBOSE:
		options->verbose = true;
		return;
	case OPT_HELP:
		fputs(usage, stdout);
		exit(EXIT_SUCCESS);
	case OPT_VERSION:
		printf("vdso-run (uvdso), page layout version %d\n", VDSO_LAYOUT_VERSION);
		exit(EXIT_SUCCESS);
	}
	/* getopt_long() has said what is wrong. */
	fputs("Try \"vdso-run --help\".\n", stderr);
	exit(EXIT_USAGE);
}

void options_parse(struct options *options, int argc, char **argv)
{
	int option;

	memset(options, 0, sizeof(*options));
	/* "+": the first argument that is no option is the program. */
	while ((option = getopt_long(argc, argv, "+", long_options, NULL)) != -1)
		take(options, option);
	if (optind == argc) {
		fputs("vdso-run: no program was given\n", stderr);
		fputs(usage, stderr);
		exit(EXIT_USAGE);
	}
	options->argv = argv + optind;
}
