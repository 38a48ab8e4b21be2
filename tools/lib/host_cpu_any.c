// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The CPU that the process runs on, asked by the hooks alone. A counter that the
 * CPU does not have, or that the kernel keeps from programs, raises SIGILL. One
 * thread at a time.
 */
#include <setjmp.h>
#include <signal.h>
#include <vdso/hooks.h>
#include "host_cpu.h"

/* As many as an architecture may number. */
#define HOST_CPU_MODES	8

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

u32 host_cpu_counter(void)
{
	for (u32 mode = VDSO_MODE_ARCH; mode < VDSO_MODE_ARCH + HOST_CPU_MODES; mode++)
		if (host_cpu_has_counter(mode))
			return mode;
	return VDSO_MODE_SYSCALL;
}

/* No hook tells what a hypervisor's pages are. */
void host_cpu_set_pages(const void *pages)
{
}

void host_cpu_copy_pages(u32 mode, struct vdso_page *page)
{
}

u32 host_cpu_mode_of_kernel(s32 kernel_mode)
{
	return kernel_mode == 1 ? VDSO_MODE_ARCH : VDSO_MODE_SYSCALL;
}

const char *host_cpu_counter_name(u32 mode)
{
	return mode == VDSO_MODE_SYSCALL ? "none that programs can read" : "this architecture's";
}

double host_cpu_ns_per_cycle(const struct vdso_timebase *raw)
{
	return (double)raw->mult / (double)(1ull << raw->shift);
}

u64 host_cpu_read_counter(u32 mode)
{
	struct vdso_cycles cycles;

	return arch_vdso_read_counter(mode, &cycles) ? vdso_cycles_value(cycles) : 0;
}

u32 host_cpu_number_source(u32 *arg)
{
	*arg = 0;
	return VDSO_CPU_SYSCALL;
}
