// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Result files. They are opened before the measurements, which take a while, and
 * take their names when they are complete.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

static const char *unfinished[2];

static void remove_unfinished(void)
{
	for (int i = 0; i < 2; i++)
		if (unfinished[i])
			unlink(unfinished[i]);
}

/* unlink() and raise() may be called here: signal-safety(7). */
static void remove_and_die(int signal_number)
{
	remove_unfinished();
	raise(signal_number);
}

static void remember(const char *path)
{
	/* SA_RESETHAND: the second time the signal does what it always does. */
	static const struct sigaction action = {
		.sa_handler = remove_and_die, .sa_flags = SA_RESETHAND | SA_NODEFER,
	};

	if (!unfinished[0] && !unfinished[1]) {
		atexit(remove_unfinished);
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		sigaction(SIGHUP, &action, NULL);
	}
	unfinished[unfinished[0] ? 1 : 0] = path;
}

static void forget(const char *path)
{
	for (int i = 0; i < 2; i++)
		if (unfinished[i] == path)
			unfinished[i] = NULL;
}

void bench_output_open(struct bench_output *output, const char *path)
{
	*output = (struct bench_output){ .path = path };
	if (!strcmp(path, "-")) {
		output->file = stdout;
		return;
	}
	if (snprintf(output->temporary, sizeof(output->temporary), "%s.%ld.tmp", path,
		     (long)getpid()) >= (int)sizeof(output->temporary))
		bench_die(2, "%s: file name too long", path);
	output->file = fopen(output->temporary, "we");
	if (!output->file)
		bench_die(2, "%s can't be written: %s", path, strerror(errno));
	remember(output->temporary);
}

void bench_output_commit(struct bench_output *output)
{
	bool failed = ferror(output->file);

	if (output->file == stdout)
		failed |= fflush(stdout) != 0;
	else
		failed |= fclose(output->file) != 0 || rename(output->temporary, output->path);
	if (failed)
		bench_die(1, "%s was not written: %s", output->path, strerror(errno));
	forget(output->temporary);
}
