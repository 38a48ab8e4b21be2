// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The counter of an emulated CPU whose emulator refuses the instruction: a SIGILL handler
 * does what it would do, with the system's raw time for a counter of 1 GHz. In place of
 * tools/lib/host_cpu_probe.c, which would say that there is none.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <vdso/hooks.h>

#include "host_cpu.h"
#include "trap/trap.h"

static void on_sigill(int number, siginfo_t *info, void *ucontext)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
	if (!trap_emulate(ucontext, now.tv_sec * 1000000000ull + (unsigned long)now.tv_nsec))
		signal(SIGILL, SIG_DFL);	/* it is executed again, and ends the program */
}

bool host_cpu_has_counter(u32 mode)
{
	struct sigaction action = { .sa_sigaction = on_sigill, .sa_flags = SA_SIGINFO };
	struct vdso_cycles cycles;

	/* A handler that reads clocks must not come in between: SIGILL is blocked here. */
	sigfillset(&action.sa_mask);
	sigaction(SIGILL, &action, NULL);
	return arch_vdso_read_counter(mode, &cycles);
}
