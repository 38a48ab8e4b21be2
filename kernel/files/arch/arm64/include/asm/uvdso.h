/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What kernel/time/uvdso.c has to know of arm64.
 */
#ifndef __ASM_UVDSO_H
#define __ASM_UVDSO_H

#include <clocksource/arm_arch_timer.h>
#include <linux/clocksource.h>
#include <asm/cpufeature.h>
#include <asm/vdso/vsyscall.h>
#include <vdso/hooks.h>

/* The page that the kernel's vdso.c maps has room for ours and, behind it, any random data. */
#ifdef __VDSO_RND_DATA_OFFSET
static_assert(sizeof(struct vdso_page) <= __VDSO_RND_DATA_OFFSET);
#endif

static __always_inline struct vdso_page *arch_uvdso_page(void)
{
	return (struct vdso_page *)vdso_data;
}

/*
 * The driver of the architected timer says by its clocksource's mode which programs may
 * read the counter: an erratum that needs a workaround means none, one that only
 * AArch32 has means 64-bit ones.
 */
static __always_inline u32 arch_uvdso_mode(enum vdso_clock_mode mode)
{
	if (mode == VDSO_CLOCKMODE_ARCHTIMER)
		return cpus_have_cap(ARM64_HAS_ECV) ?
			VDSO_MODE_CNTVCTSS : VDSO_MODE_CNTVCT;
	if (mode == VDSO_CLOCKMODE_ARCHTIMER_NOCOMPAT)
		return VDSO_MODE_CNTVCT_NOCOMPAT;
	return VDSO_MODE_SYSCALL;
}

static __always_inline u32 arch_uvdso_counter_khz(void)
{
	return arch_timer_get_rate() / 1000;
}

static inline void arch_uvdso_init(struct vdso_page *page)
{
}

#endif /* __ASM_UVDSO_H */
