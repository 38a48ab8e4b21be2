// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage: timens MONOTONIC BOOTTIME PROGRAM ARGUMENT...
 *
 * Runs a program in a new time namespace whose clocks are ahead by so many seconds. Fails
 * if the program's vDSO would not be: it looks before it starts it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/tap.h"
#include "guest.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME	0x80
#endif

static int give_up(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	return EXIT_FAILURE;
}

static bool set_offsets(const char *monotonic, const char *boottime)
{
	int fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	bool set = fd >= 0 && dprintf(fd, "monotonic %s 7\nboottime %s 9\n", monotonic, boottime) > 0;

	close(fd);
	return set;
}

/* From @before, which was read outside. */
static bool is_ahead(clockid_t id, int64_t before, const char *seconds)
{
	int64_t ahead = vdso_ns(&vdso.pairs[CLOCK_PAIRS - 1], id) - before;

	return ahead / SECOND_NS >= atoll(seconds) && ahead / SECOND_NS < atoll(seconds) + 10;
}

int main(int argc, char **argv)
{
	const struct clock_pair *pair = &vdso.pairs[CLOCK_PAIRS - 1];
	int64_t monotonic, boottime;
	int status;
	pid_t child;

	if (argc < 4)
		return EXIT_FAILURE;
	guest_open(0, NULL);
	if (!vdso.base || !pair->gettime)
		return give_up("no vDSO");
	monotonic = vdso_ns(pair, CLOCK_MONOTONIC);
	boottime = vdso_ns(pair, CLOCK_BOOTTIME);
	if (unshare(CLONE_NEWTIME))
		return give_up("no time namespace");
	if (!set_offsets(argv[1], argv[2]))
		return give_up("/proc/self/timens_offsets");
	child = fork();
	if (!child) {
		if (!is_ahead(CLOCK_MONOTONIC, monotonic, argv[1]) ||
		    !is_ahead(CLOCK_BOOTTIME, boottime, argv[2]))
			_exit(give_up("the new namespace's clocks are not ahead"));
		execv(argv[3], argv + 3);
		_exit(give_up(argv[3]));
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
