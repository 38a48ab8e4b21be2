// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The CPU that the process runs on, asked by the hooks alone. Which counters it has
 * is asked in host_cpu_probe.c.
 */
#include <vdso/hooks.h>
#include "host_cpu.h"

/* As many as an architecture may number. */
#define HOST_CPU_MODES	8

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
