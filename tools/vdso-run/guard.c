// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard: a process that does nothing but outlive the supervisor.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vdso/update.h>
#include "guard.h"
#include "launch.h"

static pid_t guard;
/* Both ends; the supervisor never writes. Reading ends when the supervisor does. */
static int lifeline[2] = { -1, -1 };

static void __attribute__((__noreturn__)) guard_wait(struct run *run)
{
	char byte;
	int fd;

	launch_detach("vdso-run-guard");
	fd = dup2(lifeline[0], 0);
	close_range(1, ~0u, 0);
	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	for (struct data_page *page = &run->data; page; page = page->next)
		vdso_stop(page->segment.memory);
	_exit(0);
}

/* 0: there can't be one now. */
static pid_t guard_start(struct run *run)
{
	pid_t pid;

	if (lifeline[0] < 0 && pipe2(lifeline, O_CLOEXEC))
		return 0;
	pid = fork();
	if (!pid)
		guard_wait(run);
	return pid < 0 ? 0 : pid;
}

void guard_check(struct run *run)
{
	if (run->options.kill_on_death)
		return;
	/* __WNOTHREAD: the programs are the other thread's business. */
	if (guard && waitpid(guard, NULL, WNOHANG | __WNOTHREAD) != guard)
		return;
	guard = guard_start(run);	/* else try again next time */
}

bool guard_renew(struct run *run)
{
	pid_t old = guard;

	if (run->options.kill_on_death)
		return true;
	guard = guard_start(run);
	if (!guard) {
		guard = old;
		return false;
	}
	if (old) {
		kill(old, SIGKILL);
		waitpid(old, NULL, __WNOTHREAD);
	}
	return true;
}
