/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What kernel/time/uvdso.c has to know of x86.
 */
#ifndef _ASM_X86_UVDSO_H
#define _ASM_X86_UVDSO_H

#include <linux/cache.h>
#include <linux/clocksource.h>
#include <asm/cpufeature.h>
#include <asm/segment.h>
#include <asm/tsc.h>
#include <asm/uvdso_vvar.h>
#include <vdso/hooks.h>

/* The random data must not move into the page. */
static_assert(sizeof(struct vdso_page) <= VVAR_RNG_OFFSET);

/* In the section that the kernel's linker script puts at the start of the vvar page. */
static struct vdso_page uvdso_page __section(".vvar__vdso_data");

static __always_inline struct vdso_page *arch_uvdso_page(void)
{
	return &uvdso_page;
}

/* How programs read the TSC: known before the first one is started. */
static u32 uvdso_tsc_mode __ro_after_init = VDSO_MODE_SYSCALL;

static __always_inline u32 arch_uvdso_mode(enum vdso_clock_mode mode)
{
	if (likely(mode == VDSO_CLOCKMODE_TSC))
		return uvdso_tsc_mode;
	if (IS_ENABLED(CONFIG_PARAVIRT_CLOCK) && mode == VDSO_CLOCKMODE_PVCLOCK)
		return VDSO_MODE_PVCLOCK;
	if (IS_ENABLED(CONFIG_HYPERV_TIMER) && mode == VDSO_CLOCKMODE_HVCLOCK)
		return VDSO_MODE_HVCLOCK;
	return VDSO_MODE_SYSCALL;
}

/* For a vdso_clock_mode, once arch_uvdso_init() was called. */
#define arch_uvdso_mode_is_fixed arch_uvdso_mode_is_fixed
static __always_inline bool arch_uvdso_mode_is_fixed(void)
{
	return true;
}

/* The frequency of what a program's own RDTSC counts, whatever the clocksource. */
static __always_inline u32 arch_uvdso_counter_khz(void)
{
	return tsc_khz;
}

/*
 * The cheaper one of the two ordered reads of the TSC that this CPU has. And 32-bit kernels
 * before 6.2 do not tell programs the CPU: there it is a system call.
 */
static inline void arch_uvdso_init(struct vdso_page *page)
{
	if (boot_cpu_has(X86_FEATURE_LFENCE_RDTSC))
		uvdso_tsc_mode = VDSO_MODE_TSC_LFENCE;
	else if (boot_cpu_has(X86_FEATURE_RDTSCP))
		uvdso_tsc_mode = VDSO_MODE_TSC_RDTSCP;
#ifdef __CPUNODE_SEG
	if (boot_cpu_has(X86_FEATURE_RDPID))
		vdso_set_cpu(page, VDSO_CPU_RDPID, 0);
	else
		vdso_set_cpu(page, VDSO_CPU_LSL, __CPUNODE_SEG);
#endif
}

#endif /* _ASM_X86_UVDSO_H */
