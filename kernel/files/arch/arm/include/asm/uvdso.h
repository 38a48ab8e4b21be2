/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What kernel/time/uvdso.c has to know of arm.
 */
#ifndef __ASM_UVDSO_H
#define __ASM_UVDSO_H

#include <clocksource/arm_arch_timer.h>
#include <linux/clocksource.h>
#include <asm/cacheflush.h>
#include <asm/vdso/vsyscall.h>
#include <vdso/hooks.h>

/* The page that the kernel's vdso.c maps. */
static __always_inline struct vdso_page *arch_uvdso_page(void)
{
	return (struct vdso_page *)vdso_data;
}

/* The page has another address in user mode: caches that mind are told. */
#define arch_uvdso_sync arch_uvdso_sync
static inline void arch_uvdso_sync(struct vdso_page *page)
{
	flush_dcache_page(virt_to_page(page));
}

/*
 * The virtual counter, if there is one and firmware has not left it in disorder
 * (cntvct_ok). Else high-resolution clocks are read by system call.
 */
static __always_inline u32 arch_uvdso_mode(enum vdso_clock_mode mode)
{
	return mode == VDSO_CLOCKMODE_ARCHTIMER && cntvct_ok ?
		VDSO_MODE_CNTVCT : VDSO_MODE_SYSCALL;
}

static __always_inline u32 arch_uvdso_counter_khz(void)
{
	return arch_timer_get_rate() / 1000;
}

static inline void arch_uvdso_init(struct vdso_page *page)
{
}

#endif /* __ASM_UVDSO_H */
