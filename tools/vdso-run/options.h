/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The command line of vdso-run.
 */
#ifndef VDSO_RUN_OPTIONS_H
#define VDSO_RUN_OPTIONS_H

#include <stdbool.h>
#include <vdso/types.h>

/* Exit statuses, as env(1) and timeout(1) have them; 2 for usage. */
#define EXIT_USAGE		2
#define EXIT_SELF		125	/* vdso-run itself can't do it */
#define EXIT_NOT_EXECUTABLE	126
#define EXIT_NOT_FOUND		127

#define MAX_IMAGES		8

/**
 * struct options - what the user asked for
 * @image:		image files, in the order given
 * @image_count:	how many; 0: find them
 * @no_counter:		--clocksource none: serve only what needs no counter
 * @counter:		VDSO_MODE_* that the counter is read by, VDSO_MODE_SYSCALL: choose
 * @kill_on_death:	--on-death kill, or @count
 * @calibrate:		do not look at [vvar]
 * @count:		count calls
 * @verbose:		say what happens
 * @argv:		the program and its arguments
 */
struct options {
	const char	*image[MAX_IMAGES];
	int		image_count;
	bool		no_counter;
	u32		counter;
	bool		kill_on_death;
	bool		calibrate;
	bool		count;
	bool		verbose;
	char		**argv;
};

/**
 * options_parse() - read the command line
 * @options:	takes the result
 * @argc:	of main()
 * @argv:	of main()
 *
 * Prints and exits on --help, --version and whatever it does not understand.
 */
void options_parse(struct options *options, int argc, char **argv);

#endif /* VDSO_RUN_OPTIONS_H */
