// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Following the program and all that it starts.
 *
 * Every program is seized, not attached to: it never sees a stop that it would
 * not have had without us. Signals are passed on as they come; a program that job
 * control has stopped stays stopped (PTRACE_LISTEN) until SIGCONT.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "count.h"
#include "inject.h"
#include "run.h"
#include "tracee.h"

static void on_signal(struct run *run, pid_t pid, int signal)
{
	if ((signal == SIGTRAP && count_trap(run, pid)) ||
	    (signal == SIGSTOP && tracee_drops_stop(pid)))
		signal = 0;
	ptrace(PTRACE_CONT, pid, 0, signal);
}

static void on_stop(struct run *run, pid_t pid, int status)
{
	int signal = WSTOPSIG(status);

	switch (status >> 16) {
	case 0:
		on_signal(run, pid, signal);
		break;
	case PTRACE_EVENT_EXEC:
		inject(run, pid);
		break;
	case PTRACE_EVENT_STOP:
		/* A new child says SIGTRAP, as SIGCONT does; all else is a stop. */
		if (signal != SIGTRAP) {
			ptrace(PTRACE_LISTEN, pid, 0, 0);
			break;
		}
		tracee_continued(pid);
		inject_child(run, pid);
		break;
	default:
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
}

/*
 * The program that the user started has ended, but its parent does not know yet:
 * it will when we have reaped it. So what is printed now comes before the prompt.
 * Afterwards standard error is not held open, or $(...) would wait for daemons.
 */
static void on_main_exit(struct run *run)
{
	int null;

	report_at_exit(run);
	run->main_pid = 0;
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null < 0) {
		close(STDERR_FILENO);
		return;
	}
	dup2(null, STDERR_FILENO);
	close(null);
}

void supervise(struct run *run)
{
	/* The guard is the other thread's child: without __WNOTHREAD we would wait for it. */
	const int options = __WALL | __WNOTHREAD;
	int status;

	for (;;) {
		siginfo_t info = { 0 };
		pid_t pid;

		if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | options)) {
			if (errno == EINTR)
				continue;
			return;		/* ECHILD: the last one has gone */
		}
		if (info.si_pid == run->main_pid && info.si_code != CLD_TRAPPED &&
		    info.si_code != CLD_STOPPED)
			on_main_exit(run);
		pid = waitpid(info.si_pid, &status, options);
		if (pid > 0 && WIFSTOPPED(status))
			on_stop(run, pid, status);
		else if (pid > 0)
			count_forget(pid);
	}
}
