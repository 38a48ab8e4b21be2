// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Facts about the x86 CPU that the process runs on.
 */
#include <cpuid.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include "host_cpu.h"

#define CPUID_FEATURES		7		/* structured extended features */
#define CPUID_RDPID		(1u << 22)	/* ECX, subleaf 0 */
#define CPUID_EXTENDED		0x80000001u
#define CPUID_RDTSCP		(1u << 27)	/* EDX */

/* GDT entry 15 of a 64-bit kernel, asked for with privilege level 3. */
#define CPU_NUMBER_SELECTOR	(15 * 8 + 3)

static bool host_cpu_has_rdtscp(void)
{
	u32 eax, ebx, ecx, edx;

	return __get_cpuid(CPUID_EXTENDED, &eax, &ebx, &ecx, &edx) && edx & CPUID_RDTSCP;
}

bool host_cpu_has_counter(u32 mode)
{
	return mode == VDSO_MODE_TSC_LFENCE ||
	       (mode == VDSO_MODE_TSC_RDTSCP && host_cpu_has_rdtscp());
}

const char *host_cpu_counter_name(u32 mode)
{
	return mode == VDSO_MODE_TSC_RDTSCP ? "rdtscp" : "lfence; rdtsc";
}

static bool host_cpu_has_rdpid(void)
{
	u32 eax, ebx, ecx, edx;

	return __get_cpuid_count(CPUID_FEATURES, 0, &eax, &ebx, &ecx, &edx) && ecx & CPUID_RDPID;
}

u64 host_cpu_read_counter(void)
{
	u32 low, high;

	/* Intel SDM volume 2, RDTSC: LFENCE before it orders it after all that precedes. */
	__asm__ __volatile__("lfence\n\trdtsc" : "=a"(low), "=d"(high) :: "memory");
	return (u64)high << 32 | low;
}

static u64 host_cpu_read_tscp(void)
{
	u32 low, high;

	/* Intel SDM volume 2, RDTSCP: waits for all that precedes by itself. */
	__asm__ __volatile__("rdtscp" : "=a"(low), "=d"(high) :: "ecx", "memory");
	return (u64)high << 32 | low;
}

/* Cycles of 64 reads. */
static u64 host_cpu_read_cost(u32 mode)
{
	u64 begin = host_cpu_read_counter();

	for (int i = 0; i < 64; i++)
		if (mode == VDSO_MODE_TSC_RDTSCP)
			host_cpu_read_tscp();
		else
			host_cpu_read_counter();
	return host_cpu_read_counter() - begin;
}

static u64 host_cpu_lesser(u64 a, u64 b)
{
	return a < b ? a : b;
}

/*
 * The fewest cycles of many tries in turns: interrupts only add, and whatever
 * slows the machine for longer slows both. RDTSCP has to be better by more than
 * chance makes it, so that the answer is the same each time.
 */
u32 host_cpu_counter(void)
{
	u64 lfence = U64_MAX, rdtscp = U64_MAX;

	if (!host_cpu_has_rdtscp())
		return VDSO_MODE_TSC_LFENCE;
	for (int try = 0; try < 50; try++) {
		lfence = host_cpu_lesser(lfence, host_cpu_read_cost(VDSO_MODE_TSC_LFENCE));
		rdtscp = host_cpu_lesser(rdtscp, host_cpu_read_cost(VDSO_MODE_TSC_RDTSCP));
	}
	return rdtscp + rdtscp / 20 < lfence ? VDSO_MODE_TSC_RDTSCP : VDSO_MODE_TSC_LFENCE;
}

/* Whether @page's way and the system call agree where this thread runs now. */
static bool host_cpu_agrees(const struct vdso_page *page)
{
	u32 cpu, node, before[2], after[2];

	for (int try = 0; try < 100; try++) {
		if (syscall(SYS_getcpu, &before[0], &before[1], NULL) ||
		    !arch_vdso_getcpu(page, &cpu, &node) ||
		    syscall(SYS_getcpu, &after[0], &after[1], NULL))
			return false;
		if (before[0] == after[0])
			return cpu == before[0] && node == before[1];
	}
	return false;
}

static bool host_cpu_agrees_everywhere(u32 mode, u32 arg)
{
	struct vdso_page page = { .cpu_mode = mode, .cpu_arg = arg };
	cpu_set_t all, one;
	bool agrees = true;

	if (sched_getaffinity(0, sizeof(all), &all))
		return host_cpu_agrees(&page);
	for (int cpu = 0; cpu < CPU_SETSIZE && agrees; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			agrees = host_cpu_agrees(&page);
	}
	sched_setaffinity(0, sizeof(all), &all);
	return agrees;
}

u32 host_cpu_number_source(u32 *arg)
{
	*arg = 0;
	if (host_cpu_has_rdpid() && host_cpu_agrees_everywhere(VDSO_CPU_RDPID, 0))
		return VDSO_CPU_RDPID;
	if (!host_cpu_agrees_everywhere(VDSO_CPU_LSL, CPU_NUMBER_SELECTOR))
		return VDSO_CPU_SYSCALL;
	*arg = CPU_NUMBER_SELECTOR;
	return VDSO_CPU_LSL;
}
