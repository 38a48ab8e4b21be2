/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef VDSO_RUN_PUBLISH_H
#define VDSO_RUN_PUBLISH_H

#include "run.h"

/**
 * publish() - bring the data page up to the kernel's clocks
 * @run:	the run; called by the clock thread only
 */
void publish(struct run *run);

/**
 * publish_update() - vdso_update() for a writer that comes late
 * @page:	the data page
 * @old:	what the page holds now
 * @new:	what it is to hold
 *
 * The kernel changes the slope of its clocks at one moment, and the new line goes on
 * where the old one was then. Readers of our page were on the old line a little
 * longer: if the new slope is smaller, the new line lies below what they were given
 * last. So the steered records are held open until the new line has caught up.
 * For more than HANDOVER_MAX_NS nobody is held up: that is no steering but what
 * the kernel itself did.
 */
void publish_update(struct vdso_page *page, const struct vdso_timekeeper *old,
		    const struct vdso_timekeeper *new);

#endif /* VDSO_RUN_PUBLISH_H */
