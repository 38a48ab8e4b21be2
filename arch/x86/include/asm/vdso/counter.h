/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The counters of x86: the time stamp counter, read in one of two ways, and two
 * clocks that hypervisors compute from it.
 */
#ifndef ASM_X86_VDSO_COUNTER_H
#define ASM_X86_VDSO_COUNTER_H

#include <vdso/arith.h>
#include <vdso/layout.h>
#include <vdso/result.h>
#include <asm/vdso/barrier.h>
#include <asm/vdso/pages.h>

#define VDSO_MODE_TSC_LFENCE	(VDSO_MODE_ARCH + 0)	/* lfence; rdtsc */
#define VDSO_MODE_TSC_RDTSCP	(VDSO_MODE_ARCH + 1)	/* rdtscp */
#define VDSO_MODE_PVCLOCK	(VDSO_MODE_ARCH + 2)	/* KVM and Xen, counts ns */
#define VDSO_MODE_HVCLOCK	(VDSO_MODE_ARCH + 3)	/* Hyper-V, counts 100 ns */

/*
 * RDTSC is not ordered with what is around it. LFENCE does not execute until all
 * prior instructions have completed locally, and no later one starts before it
 * completes (Intel SDM volume 2, LFENCE and RDTSC). On AMD it does so with
 * MSR C001_1029[1] set, as every Linux kernel sets it (AMD APM volume 3, LFENCE).
 */
static __always_inline struct vdso_cycles rdtsc_after_lfence(void)
{
	struct vdso_cycles tsc;

	__asm__ __volatile__("lfence\n\trdtsc" : "=a"(tsc.low), "=d"(tsc.high));
	return tsc;
}

/*
 * RDTSCP waits until all previous instructions have executed and all previous
 * loads are globally visible (Intel SDM volume 2, RDTSCP). It is what the
 * kernel itself uses where LFENCE costs more.
 */
static __always_inline struct vdso_cycles rdtscp(void)
{
	struct vdso_cycles tsc;

	__asm__ __volatile__("rdtscp" : "=a"(tsc.low), "=d"(tsc.high) :: "ecx");
	return tsc;
}

#ifdef __x86_64__
/*
 * RDTSC gives halves. Joining them would take three instructions more, two of them
 * in the chain from the counter to the nanoseconds. 32-bit code needs no help.
 */
#define arch_vdso_delta arch_vdso_delta
static __always_inline struct vdso_cycles
arch_vdso_delta(struct vdso_cycles cycles, const u64 *last)
{
	const struct vdso_cycles *halves = (const void *)last;

	/* SBB subtracts the borrow of SUB as well: Intel SDM volume 2. */
	__asm__("subl %2, %0\n\tsbbl %3, %1"
		: "+&r"(cycles.low), "+r"(cycles.high)
		: "m"(halves->low), "m"(halves->high) : "cc");
	return cycles;
}
#endif

/*
 * The loads after the counter read, of the base and of the closing sequence
 * counter, may still pass it; among themselves they stay in order. So at worst
 * the time is computed from a base that was replaced a few ns before the counter
 * was read, and the line through it is as good then as the new one.
 */
#define arch_vdso_read_counter arch_vdso_read_counter
static __always_inline bool arch_vdso_read_counter(u32 mode, struct vdso_cycles *cycles)
{
	if (likely(mode == VDSO_MODE_TSC_LFENCE))
		*cycles = rdtsc_after_lfence();
	else if (mode == VDSO_MODE_TSC_RDTSCP)
		*cycles = rdtscp();
	else
		return false;
	return true;
}

/* Hypervisors' clocks count ns of their own: not what rdtsc gives. */
#define ARCH_VDSO_COUNTER	COUNTER_TSC
#define ARCH_VDSO_PROGRAM_MODES	2

/**
 * struct pvclock_time_info - what KVM and Xen tell of one CPU's clock
 * @version:		odd while the hypervisor writes
 * @pad0:		not used
 * @tsc_timestamp:	TSC value that @system_time belongs to
 * @system_time:	ns
 * @tsc_to_system_mul:	ns = ((cycles << @tsc_shift) * @tsc_to_system_mul) >> 32
 * @tsc_shift:		negative: to the right
 * @flags:		PVCLOCK_TSC_STABLE: all CPUs' clocks agree
 * @pad:		not used
 *
 * ABI: KVM's documentation of MSR_KVM_SYSTEM_TIME_NEW, Xen's public/xen.h.
 */
struct pvclock_time_info {
	u32	version;
	u32	pad0;
	u64	tsc_timestamp;
	u64	system_time;
	u32	tsc_to_system_mul;
	s8	tsc_shift;
	u8	flags;
	u8	pad[2];
};
VDSO_ASSERT_OFFSET(struct pvclock_time_info, tsc_timestamp, 8);
VDSO_ASSERT_OFFSET(struct pvclock_time_info, system_time, 16);
VDSO_ASSERT_OFFSET(struct pvclock_time_info, tsc_to_system_mul, 24);
VDSO_ASSERT_OFFSET(struct pvclock_time_info, tsc_shift, 28);
VDSO_ASSERT_OFFSET(struct pvclock_time_info, flags, 29);

#define PVCLOCK_TSC_STABLE	(1u << 0)

/**
 * struct hyperv_tsc_page - the reference TSC page
 * @sequence:	changes with every update by the hypervisor; 0: not valid now
 * @reserved:	not used
 * @scale:	time = ((cycles * @scale) >> 64) + @offset, in units of 100 ns
 * @offset:	see @scale
 *
 * ABI: Hyper-V Top Level Functional Specification, "Partition Reference TSC Mechanism".
 */
struct hyperv_tsc_page {
	u32	sequence;
	u32	reserved;
	u64	scale;
	s64	offset;
};
VDSO_ASSERT_OFFSET(struct hyperv_tsc_page, scale, 8);
VDSO_ASSERT_OFFSET(struct hyperv_tsc_page, offset, 16);

/*
 * The first CPU's record serves all, which is right only while the hypervisor
 * says that they agree. A TSC that is behind the stamp counts as not advanced.
 */
static __always_inline enum vdso_read
vdso_read_pvclock(const struct pvclock_time_info *info, u64 *cycles)
{
	u32 version = READ_ONCE(info->version);
	u64 delta, stamp;
	u32 mul;
	s8 shift;

	if (version & 1)
		return VDSO_READ_AGAIN;
	arch_vdso_rmb();	/* pairs with the hypervisor's barrier after version++ */
	if (!(READ_ONCE(info->flags) & PVCLOCK_TSC_STABLE))
		return VDSO_READ_SYSCALL;
	delta = vdso_cycles_value(rdtsc_after_lfence());
	stamp = READ_ONCE(info->tsc_timestamp);
	delta = delta < stamp ? 0 : delta - stamp;
	shift = READ_ONCE(info->tsc_shift);
	delta = shift < 0 ? delta >> (-shift & 63) : delta << (shift & 63);
	/* (delta * mul) >> 32, as far as it fits 64 bits */
	mul = READ_ONCE(info->tsc_to_system_mul);
	*cycles = READ_ONCE(info->system_time) + (delta >> 32) * mul +
		  ((u64)(u32)delta * mul >> 32);
	arch_vdso_rmb();	/* pairs with the hypervisor's barrier before version++ */
	return READ_ONCE(info->version) == version ? VDSO_READ_DONE : VDSO_READ_AGAIN;
}

static __always_inline enum vdso_read
vdso_read_hvclock(const struct hyperv_tsc_page *tsc, u64 *cycles)
{
	u32 sequence = READ_ONCE(tsc->sequence);

	if (!sequence)
		return VDSO_READ_SYSCALL;
	arch_vdso_rmb();	/* pairs with the hypervisor's barrier after its stores */
	*cycles = vdso_mul_64_64(vdso_cycles_value(rdtsc_after_lfence()),
				 READ_ONCE(tsc->scale)).hi +
		  (u64)READ_ONCE(tsc->offset);
	arch_vdso_rmb();	/* pairs with the hypervisor's barrier before its stores */
	return READ_ONCE(tsc->sequence) == sequence ? VDSO_READ_DONE : VDSO_READ_AGAIN;
}

#define arch_vdso_read_complex arch_vdso_read_complex
static __cold __maybe_unused enum vdso_read
arch_vdso_read_complex(u32 mode, const struct vdso_page *page, u64 *cycles)
{
	const char *first = (const char *)page;

	if (!IS_ENABLED(CONFIG_VDSO_PARAVIRT))
		return VDSO_READ_SYSCALL;
	if (mode == VDSO_MODE_PVCLOCK)
		return vdso_read_pvclock((const void *)(first + VDSO_PVCLOCK_PAGE *
							ARCH_VDSO_PAGE_SIZE), cycles);
	if (mode == VDSO_MODE_HVCLOCK)
		return vdso_read_hvclock((const void *)(first + VDSO_HVCLOCK_PAGE *
							ARCH_VDSO_PAGE_SIZE), cycles);
	return VDSO_READ_SYSCALL;
}

#endif /* ASM_X86_VDSO_COUNTER_H */
