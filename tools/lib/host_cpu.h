/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What this CPU and kernel allow: which way to read the counter, and how
 * getcpu() can be answered without a system call. In host_cpu.c for x86, in
 * host_cpu_any.c for every architecture of which nothing but the hooks is known.
 */
#ifndef TOOLS_LIB_HOST_CPU_H
#define TOOLS_LIB_HOST_CPU_H

#include <stdbool.h>
#include <vdso/types.h>

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
 * host_cpu_counter_name() - what way that is, for people
 * @mode:	as host_cpu_counter() returned it
 */
const char *host_cpu_counter_name(u32 mode);

/**
 * host_cpu_read_counter() - the counter now, ordered
 *
 * Return: cycles; 0 if there is no counter.
 */
u64 host_cpu_read_counter(void);

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
