// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Giving this process a supervisor.
 *
 * The process that the user started is to become the program: then its process
 * id, parent, terminal, signals and exit status are right by themselves. So the
 * supervisor is the other side, a grandchild in a session of its own. The
 * child in between is gone before the program starts: the program sees no
 * child that it did not make.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "clock_thread.h"
#include "launch.h"
#include "run.h"

#define TRACING (PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | \
		 PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE)

/* What the supervisor tells the process that waits for it: nothing but this is good news. */
#define READY '\n'

void launch_detach(const char *name)
{
	static const int ignored[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU,
	};
	sigset_t none;

	sigemptyset(&none);
	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_NAME, name);
}

/* Leave the terminal, pipes and directories to the program; keep standard error and @keep. */
static void let_go(int keep)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	} else {
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
	}
	if (keep > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned int)keep - 1, 0);
	close_range((unsigned int)keep + 1, ~0u, 0);
	if (chdir("/"))
		return;	/* then a mount stays busy for a while; nothing breaks */
}

static void seize_failed(char *why, size_t size, int error)
{
	snprintf(why, size, "the kernel does not allow to trace a program here (ptrace: %s): "
		 "look for a seccomp filter (containers: --cap-add=SYS_PTRACE), "
		 "kernel.yama.ptrace_scope above 1, or another tracer; or start the "
		 "program without vdso-run", strerror(error));
}

static int supervisor_prepare(struct run *run, char *why, size_t size)
{
	clock_gettime(CLOCK_MONOTONIC, &run->begin);
	run->tracing = TRACING | (run->options.kill_on_death ? PTRACE_O_EXITKILL : 0);
	if (ptrace(PTRACE_SEIZE, run->main_pid, 0, run->tracing)) {
		seize_failed(why, size, errno);
		return -1;
	}
	if (clock_thread_start(run)) {
		snprintf(why, size, "no thread for the clock: %s", strerror(errno));
		return -1;
	}
	return 0;
}

static void __attribute__((__noreturn__)) supervisor(struct run *run, int answer)
{
	char why[512] = { READY };
	int result;

	launch_detach("vdso-run-super");
	let_go(answer);
	result = supervisor_prepare(run, why, sizeof(why));
	if (write(answer, why, strlen(why)) < 0 || result)
		_exit(EXIT_SELF);
	close(answer);
	supervise(run);
	_exit(0);
}

static void __attribute__((__noreturn__)) go_between(struct run *run, int answer)
{
	pid_t pid = fork();

	if (!pid)
		supervisor(run, answer);
	if (pid < 0 && dprintf(answer, "can't start a process: %s", strerror(errno)) < 0)
		_exit(1);
	_exit(0);
}

/* 0 once the supervisor is ready; else -1 and what it said. */
static int await(int answer, char *why, size_t size)
{
	ssize_t length;

	do {
		length = read(answer, why, size - 1);
	} while (length < 0 && errno == EINTR);
	close(answer);
	if (length == 1 && why[0] == READY)
		return 0;
	if (length <= 0)
		snprintf(why, size, "the supervisor died before the program was started");
	else
		why[length] = 0;
	return -1;
}

/* A pipe above the standard descriptors: some of those may be closed, others get used. */
static int open_pipe(int ends[2])
{
	int low[2], saved;

	if (pipe2(low, O_CLOEXEC))
		return -1;
	ends[0] = fcntl(low[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	ends[1] = fcntl(low[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	saved = errno;
	close(low[0]);
	close(low[1]);
	errno = saved;
	return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

int launch_supervisor(struct run *run, char *why, size_t size)
{
	int answer[2], result;
	pid_t pid;

	run->main_pid = getpid();
	/* Where Yama lets only ancestors trace, the traced one may name others. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	if (open_pipe(answer)) {
		snprintf(why, size, "no pipe: %s", strerror(errno));
		return -1;
	}
	pid = fork();
	if (!pid)
		go_between(run, answer[1]);
	close(answer[1]);
	if (pid < 0) {
		snprintf(why, size, "can't start a process: %s", strerror(errno));
		close(answer[0]);
		return -1;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	result = await(answer[0], why, size);
	prctl(PR_SET_PTRACER, 0, 0, 0, 0);
	return result;
}
