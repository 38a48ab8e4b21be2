/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What this x86 CPU and kernel allow: which way to read the TSC, and how
 * getcpu() can be answered without a system call.
 */
#ifndef TOOLS_LIB_HOST_CPU_H
#define TOOLS_LIB_HOST_CPU_H

#include <stdbool.h>
#include <vdso/types.h>

/**
 * host_cpu_has_rdtscp() - whether RDTSCP may be executed
 *
 * Return: false: it would raise SIGILL.
 */
bool host_cpu_has_rdtscp(void);

/**
 * host_cpu_counter() - the cheaper safe way to read the TSC
 *
 * Measures both; takes less than a millisecond.
 *
 * Return: VDSO_MODE_TSC_LFENCE or VDSO_MODE_TSC_RDTSCP.
 */
u32 host_cpu_counter(void);

/**
 * host_cpu_read_tsc() - the TSC now, ordered
 *
 * Return: cycles.
 */
u64 host_cpu_read_tsc(void);

/**
 * host_cpu_number_source() - how to tell the CPU number
 * @arg:	takes what that way needs
 *
 * A way is taken only if it gave the same answer as the system call on every CPU
 * that this thread may run on.
 *
 * Return: VDSO_CPU_RDPID, VDSO_CPU_LSL or VDSO_CPU_SYSCALL, for vdso_set_cpu().
 */
u32 host_cpu_number_source(u32 *arg);

#endif /* TOOLS_LIB_HOST_CPU_H */
