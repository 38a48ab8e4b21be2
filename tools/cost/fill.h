/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the two readers that are compared have in common: the time that their
 * pages say. Only plain types: one page is filled by a file that sees this
 * project's headers, the other one by a file that sees Linux's.
 */
#ifndef COST_FILL_H
#define COST_FILL_H

#define COST_NSEC_PER_SEC	1000000000

/**
 * struct cost_time - one moment on all clocks
 * @cycles:	the counter then
 * @mult:	ns = cycles * @mult >> @shift
 * @shift:	see @mult
 * @real:	CLOCK_REALTIME, seconds
 * @monotonic:	CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW, seconds
 * @nsec:	of all clocks
 */
struct cost_time {
	unsigned long long	cycles;
	unsigned int		mult;
	unsigned int		shift;
	long long		real;
	long long		monotonic;
	unsigned int		nsec;
};

/**
 * cost_fill() - fill the data page
 * @page:	the page in front of the image, all zeros
 * @now:	the time
 */
void cost_fill(void *page, const struct cost_time *now);

#endif /* COST_FILL_H */
