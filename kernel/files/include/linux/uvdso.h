/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the rest of the kernel tells the filler of the vDSO's data page, besides
 * update_vsyscall() and update_vsyscall_tz().
 */
#ifndef _LINUX_UVDSO_H
#define _LINUX_UVDSO_H

struct time_namespace;

#ifdef CONFIG_UVDSO

/**
 * uvdso_fill_timens() - make the first page of a time namespace's mapping
 * @page:	the namespace's page, zeroed, not mapped yet
 * @ns:		its offsets will not change any more
 */
void uvdso_fill_timens(void *page, const struct time_namespace *ns);

/**
 * uvdso_serve_alarm_clocks() - there is an alarm device from now on
 *
 * Without one the system call refuses CLOCK_REALTIME_ALARM and
 * CLOCK_BOOTTIME_ALARM, and so must the vDSO.
 */
void uvdso_serve_alarm_clocks(void);

#else

static inline void uvdso_fill_timens(void *page, const struct time_namespace *ns) { }
static inline void uvdso_serve_alarm_clocks(void) { }

#endif /* CONFIG_UVDSO */
#endif /* _LINUX_UVDSO_H */
