/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef VDSO_RUN_PUBLISH_H
#define VDSO_RUN_PUBLISH_H

#include "run.h"

/**
 * publish() - bring the data pages up to the kernel's clocks
 * @run:	the run; called by the clock thread only
 */
void publish(struct run *run);

/**
 * publish_page() - vdso_update() with the offsets of a page's namespace
 * @page:	the page
 * @tk:		what it is to hold
 */
void publish_page(const struct data_page *page, const struct vdso_timekeeper *tk);

/**
 * publish_update() - vdso_update() for a writer that comes late
 * @first:	the data page, live; those behind it as well, if they are
 * @old:	what the pages hold now
 * @new:	what they are to hold, each with the offsets of its namespace
 *
 * The kernel changes the slope of its clocks at one moment, and the new line goes on
 * where the old one was then. Readers of our page were on the old line a little
 * longer: if the new slope is smaller, the new line lies below what they were given
 * last. So the steered records are held open until the new line has caught up.
 * For more than HANDOVER_MAX_NS nobody is held up: that is no steering but what
 * the kernel itself did.
 */
void publish_update(const struct data_page *first, const struct vdso_timekeeper *old,
		    const struct vdso_timekeeper *new);

#endif /* VDSO_RUN_PUBLISH_H */
