/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The thread that plays the kernel's timekeeper.
 */
#ifndef VDSO_RUN_CLOCK_THREAD_H
#define VDSO_RUN_CLOCK_THREAD_H

#include "run.h"

/**
 * struct clock_lag - how far the page trailed the kernel's
 * @updates:	how many updates were followed
 * @median_us:	lag of half of them
 * @most_us:	lag of 99 % of them
 * @max_us:	the longest
 */
struct clock_lag {
	u64	updates;
	u32	median_us;
	u32	most_us;
	u32	max_us;
};

/**
 * clock_thread_start() - follow the kernel's clocks from now on
 * @run:	the run, its page filled
 *
 * Return: 0, or -1 and errno. The page is guarded (guard.h) when it returns.
 */
int clock_thread_start(struct run *run);

/**
 * clock_thread_lag() - how it went
 * @lag:	takes the statistics up to now
 */
void clock_thread_lag(struct clock_lag *lag);

#endif /* VDSO_RUN_CLOCK_THREAD_H */
