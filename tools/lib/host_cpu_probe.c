// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whether there is a counter, asked by reading it: one that the CPU does not have, or that
 * the kernel keeps from programs, raises SIGILL. One thread at a time.
 */
#include <setjmp.h>
#include <signal.h>
#include <vdso/hooks.h>
#include "host_cpu.h"

static sigjmp_buf before_read;

static void host_cpu_on_sigill(int signal)
{
	siglongjmp(before_read, signal);
}

bool host_cpu_has_counter(u32 mode)
{
	const struct sigaction jump = { .sa_handler = host_cpu_on_sigill };
	struct sigaction saved;
	sigset_t sigill, mask;
	struct vdso_cycles cycles;
	volatile bool has = false;

	sigemptyset(&sigill);
	sigaddset(&sigill, SIGILL);
	sigprocmask(SIG_UNBLOCK, &sigill, &mask);	/* blocked, it would be fatal */
	sigaction(SIGILL, &jump, &saved);
	if (!sigsetjmp(before_read, 1))
		has = arch_vdso_read_counter(mode, &cycles);
	sigaction(SIGILL, &saved, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return has;
}
