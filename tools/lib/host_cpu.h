/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What this CPU and kernel allow: which way to read the counter, and how
 * getcpu() can be answered without a system call. In host_cpu.c for x86, in
 * host_cpu_any.c and host_cpu_probe.c for every architecture of which nothing but the hooks
 * is known.
 */
#ifndef TOOLS_LIB_HOST_CPU_H
#define TOOLS_LIB_HOST_CPU_H

#include <stdbool.h>
#include <vdso/update.h>

/**
 * host_cpu_has_counter() - whether a way to read the counter may be used
 * @mode:	VDSO_MODE_*
 *
 * Return: false: it is no such way, or would raise SIGILL.
 */
bool host_cpu_has_counter(u32 mode);

/**
 * host_cpu_counter() - the cheapest safe way to read the counter
 *
 * Measures where there is a choice; takes less than a millisecond.
 *
 * Return: VDSO_MODE_*; VDSO_MODE_SYSCALL if programs can't read a counter here.
 */
u32 host_cpu_counter(void);

/**
 * host_cpu_set_pages() - where the clocks of hypervisors are in this process
 * @pages:	what the kernel maps as [vvar_vclock]: on x86, pvclock page and
 *		Hyper-V page; NULL: without them
 *
 * Only the page of a clock that the kernel uses may be touched.
 */
void host_cpu_set_pages(const void *pages);

/**
 * host_cpu_mode_of_kernel() - how the kernel's own vDSO reads the counter now
 * @kernel_mode:	the kernel's VDSO_CLOCKMODE_*
 *
 * Return: VDSO_MODE_*, VDSO_MODE_ARCH where there is a choice (host_cpu_counter());
 * VDSO_MODE_SYSCALL if it makes the system call, or reads what is not known here.
 */
u32 host_cpu_mode_of_kernel(s32 kernel_mode);

/**
 * host_cpu_copy_pages() - give a mapping of an image the hypervisor's clock
 * @mode:	VDSO_MODE_* that the image is going to be told
 * @page:	first page of the mapping, writable
 *
 * A copy is as good as the page itself until the hypervisor writes again.
 */
void host_cpu_copy_pages(u32 mode, struct vdso_page *page);

/**
 * host_cpu_counter_name() - what way that is, for people
 * @mode:	VDSO_MODE_*
 */
const char *host_cpu_counter_name(u32 mode);

/**
 * host_cpu_read_counter() - the counter now, ordered
 * @mode:	VDSO_MODE_* of the clock that the value is for
 *
 * Return: cycles; 0 if there is no such counter.
 */
u64 host_cpu_read_counter(u32 mode);

/**
 * host_cpu_ns_per_cycle() - how long a cycle of this CPU's own counter lasts
 * @raw:	the clock that is not steered; its counter must be usable
 *
 * Also where @raw is on a hypervisor's clock, which itself goes by that counter.
 */
double host_cpu_ns_per_cycle(const struct vdso_timebase *raw);

/**
 * host_cpu_number_source() - how to tell the CPU number
 * @arg:	takes what that way needs
 *
 * A way is taken only if it gave the same answer as the system call on every CPU
 * that this thread may run on.
 *
 * Return: VDSO_CPU_*, for vdso_set_cpu().
 */
u32 host_cpu_number_source(u32 *arg);

#endif /* TOOLS_LIB_HOST_CPU_H */
