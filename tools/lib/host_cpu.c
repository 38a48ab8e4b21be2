// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Facts about the x86 CPU that the process runs on.
 */
#include <cpuid.h>
#include <sched.h>
#include <string.h>
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
	switch (mode) {
	case VDSO_MODE_TSC_LFENCE:	return "lfence; rdtsc";
	case VDSO_MODE_TSC_RDTSCP:	return "rdtscp";
	case VDSO_MODE_PVCLOCK:		return "the hypervisor's pvclock page";
	case VDSO_MODE_HVCLOCK:		return "Hyper-V's TSC page";
	default:			return "none that programs can read";
	}
}

static bool host_cpu_has_rdpid(void)
{
	u32 eax, ebx, ecx, edx;

	return __get_cpuid_count(CPUID_FEATURES, 0, &eax, &ebx, &ecx, &edx) && ecx & CPUID_RDPID;
}

static u64 host_cpu_read_tsc(void)
{
	u32 low, high;

	/* Intel SDM volume 2, RDTSC: LFENCE before it orders it after all that precedes. */
	__asm__ __volatile__("lfence\n\trdtsc" : "=a"(low), "=d"(high) :: "memory");
	return (u64)high << 32 | low;
}

/* As in front of an image: the hooks find the pages by the address of the first one. */
static const char *host_cpu_first_page;

void host_cpu_set_pages(const void *pages)
{
	host_cpu_first_page = pages ? (const char *)pages -
				      VDSO_PVCLOCK_PAGE * ARCH_VDSO_PAGE_SIZE : NULL;
}

static bool host_cpu_is_complex(u32 mode)
{
	return mode == VDSO_MODE_PVCLOCK || mode == VDSO_MODE_HVCLOCK;
}

/* The hypervisor writes for some ns at a time. */
static bool host_cpu_read_complex(u32 mode, u64 *cycles)
{
	enum vdso_read result = VDSO_READ_AGAIN;

	if (!host_cpu_first_page)
		return false;
	while (result == VDSO_READ_AGAIN)
		result = arch_vdso_read_complex(mode, (const void *)host_cpu_first_page, cycles);
	return result == VDSO_READ_DONE;
}

u32 host_cpu_mode_of_kernel(s32 kernel_mode)
{
	/* The kernel's VDSO_CLOCKMODE_TSC, _PVCLOCK and _HVCLOCK. */
	static const u32 modes[] = {
		[1] = VDSO_MODE_TSC_LFENCE, [2] = VDSO_MODE_PVCLOCK, [3] = VDSO_MODE_HVCLOCK,
	};
	u64 cycles;

	if (kernel_mode < 1 || kernel_mode >= (s32)(sizeof(modes) / sizeof(modes[0])) ||
	    (host_cpu_is_complex(modes[kernel_mode]) &&
	     !host_cpu_read_complex(modes[kernel_mode], &cycles)))
		return VDSO_MODE_SYSCALL;
	return modes[kernel_mode];
}

/* The version comes first in both: the copy is of one moment if that has not changed. */
void host_cpu_copy_pages(u32 mode, struct vdso_page *page)
{
	const size_t offset = (mode == VDSO_MODE_PVCLOCK ? VDSO_PVCLOCK_PAGE : VDSO_HVCLOCK_PAGE) *
			      ARCH_VDSO_PAGE_SIZE;
	const u32 *version;
	u32 before;

	if (!host_cpu_is_complex(mode) || !host_cpu_first_page)
		return;
	version = (const void *)(host_cpu_first_page + offset);
	do {
		before = READ_ONCE(*version);
		arch_vdso_rmb();	/* pairs with the hypervisor's, after it made it odd */
		memcpy((char *)page + offset, version, sizeof(struct pvclock_time_info));
		arch_vdso_rmb();	/* pairs with the hypervisor's, before it makes it even */
	} while (READ_ONCE(*version) != before);
}

double host_cpu_ns_per_cycle(const struct vdso_timebase *raw)
{
	const double ns = (double)raw->mult / (double)(1ull << raw->shift);
	const char *const first = host_cpu_first_page;
	const struct pvclock_time_info *info;
	const struct hyperv_tsc_page *tsc;

	/* See the two structures for what a unit of their clocks is made of. */
	if (raw->mode == VDSO_MODE_PVCLOCK) {
		info = (const void *)(first + VDSO_PVCLOCK_PAGE * ARCH_VDSO_PAGE_SIZE);
		return ns * info->tsc_to_system_mul / (double)(1ull << (32 - info->tsc_shift));
	}
	if (raw->mode == VDSO_MODE_HVCLOCK) {
		tsc = (const void *)(first + VDSO_HVCLOCK_PAGE * ARCH_VDSO_PAGE_SIZE);
		return ns * (double)tsc->scale / 0x1p64;
	}
	return ns;
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
	u64 begin = host_cpu_read_tsc();

	for (int i = 0; i < 64; i++)
		if (mode == VDSO_MODE_TSC_RDTSCP)
			host_cpu_read_tscp();
		else
			host_cpu_read_tsc();
	return host_cpu_read_tsc() - begin;
}

u64 host_cpu_read_counter(u32 mode)
{
	u64 cycles;

	if (host_cpu_is_complex(mode))
		return host_cpu_read_complex(mode, &cycles) ? cycles : 0;
	return mode == VDSO_MODE_SYSCALL ? 0 : host_cpu_read_tsc();
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
