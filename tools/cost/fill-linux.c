// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The page of Linux's reader. Compiled with the headers of the Linux that the
 * reader is of: they know the layout.
 */
#include <linux/math64.h>
#include <vdso/datapage.h>

#include "fill.h"

static void fill_clock(struct vdso_data *data, int id, s64 sec, u64 nsec)
{
	data->basetime[id].sec = sec;
	data->basetime[id].nsec = nsec;
}

static void fill_base(struct vdso_data *data, const struct cost_time *now)
{
	data->clock_mode = VDSO_CLOCKMODE_NONE + 1;	/* the architecture's first counter */
	data->cycle_last = now->cycles;
	data->mask = ~(u64)0;
	data->mult = now->mult;
	data->shift = now->shift;
	data->hrtimer_res = 1;
#ifdef CONFIG_GENERIC_VDSO_OVERFLOW_PROTECT
	data->max_cycles = ~(u32)0;
#endif
}

void cost_fill(void *page, const struct cost_time *now)
{
	struct vdso_data *data = page + LINUX_DATA_OFFSET;
	u64 nsec = (u64)now->nsec << now->shift;

	fill_base(&data[CS_HRES_COARSE], now);
	fill_clock(&data[CS_HRES_COARSE], CLOCK_REALTIME, now->real, nsec);
	fill_clock(&data[CS_HRES_COARSE], CLOCK_MONOTONIC, now->monotonic, nsec);
	fill_clock(&data[CS_HRES_COARSE], CLOCK_BOOTTIME, now->monotonic, nsec);
	fill_clock(&data[CS_HRES_COARSE], CLOCK_TAI, now->real, nsec);
	fill_clock(&data[CS_HRES_COARSE], CLOCK_REALTIME_COARSE, now->real, now->nsec);
	fill_clock(&data[CS_HRES_COARSE], CLOCK_MONOTONIC_COARSE, now->monotonic, now->nsec);
	fill_base(&data[CS_RAW], now);
	fill_clock(&data[CS_RAW], CLOCK_MONOTONIC_RAW, now->monotonic, nsec);
}
