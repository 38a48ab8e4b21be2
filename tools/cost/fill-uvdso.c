// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Our page, by the code that every writer uses.
 */
#include <vdso/update.h>

#include "fill.h"

void cost_fill(void *page, const struct cost_time *now)
{
	const struct vdso_timebase base = {
		.mode = VDSO_MODE_ARCH,
		.mult = now->mult,
		.shift = now->shift,
		.res = 1,
		.cycle_last = now->cycles,
		.mask = U64_MAX,
		.sec = now->real,
		.nsec = (u64)now->nsec << now->shift,
	};
	struct vdso_timekeeper tk = {
		.real = base,
		.raw = base,
		.wall_to_monotonic = { .sec = now->monotonic - now->real },
		.coarse_res = 4000000,
	};

	tk.raw.sec = now->monotonic;
	vdso_update(page, &tk);
}
