// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From the host's clocks to the data page, without a step back.
 */
#include <vdso/hooks.h>
#include <vdso/seq.h>
#include <vdso/update.h>
#include "host_cpu.h"
#include "publish.h"

#define HANDOVER_MAX_NS	1000

/* CLOCK_MONOTONIC as a snapshot has it. */
static s64 steered_ns(const struct vdso_timekeeper *tk, u64 cycles)
{
	return host_clock_ns(&tk->real, cycles) + tk->wall_to_monotonic.sec * NSEC_PER_SEC +
	       tk->wall_to_monotonic.nsec;
}

/* How far readers were ahead of the new lines at @cycles; above 0: they would see time go back. */
static s64 ahead_ns(const struct vdso_timekeeper *old, const struct vdso_timekeeper *new,
		    u64 cycles)
{
	s64 steered = steered_ns(old, cycles) - steered_ns(new, cycles);
	s64 raw = host_clock_ns(&old->raw, cycles) - host_clock_ns(&new->raw, cycles);

	return steered > raw ? steered : raw;
}

/* Only lines over one counter can be compared. */
static bool on_one_counter(const struct vdso_timekeeper *old, const struct vdso_timekeeper *new)
{
	const u32 mode = new->real.mode;

	return mode >= VDSO_MODE_ARCH && new->raw.mode == mode &&
	       old->real.mode == mode && old->raw.mode == mode;
}

/* Whether the new lines may be below the old ones, now or until the page is written. */
static bool needs_handover(const struct vdso_timekeeper *old, const struct vdso_timekeeper *new)
{
	return on_one_counter(old, new) &&
	       (new->real.mult < old->real.mult || new->raw.mult < old->raw.mult ||
		ahead_ns(old, new, host_cpu_read_counter(new->real.mode)) > 0);
}

static void open_counters(struct vdso_page *page)
{
	static const int steered[] = {
		CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
		CLOCK_REALTIME_ALARM, CLOCK_BOOTTIME_ALARM,
	};

	for (size_t i = 0; i < sizeof(steered) / sizeof(steered[0]); i++)
		vdso_seq_open(&page->clock[steered[i]]);
}

void publish_update(struct vdso_page *page, const struct vdso_timekeeper *old,
		    const struct vdso_timekeeper *new)
{
	if (needs_handover(old, new)) {
		u64 begin, now;
		s64 ahead;

		open_counters(page);
		/* What any reader can have been given: readers give up a record opened since. */
		begin = host_cpu_read_counter(new->real.mode);
		ahead = ahead_ns(old, new, begin);
		do {
			now = host_cpu_read_counter(new->real.mode);
		} while (ahead <= HANDOVER_MAX_NS &&
			 (steered_ns(new, now) < steered_ns(old, begin) ||
			  host_clock_ns(&new->raw, now) < host_clock_ns(&old->raw, begin)));
	}
	vdso_update(page, new);
}

static void publish_once(struct run *run)
{
	struct vdso_timekeeper new;

	host_clock_snapshot(&run->host, &new);
	publish_update(run->page.memory, &run->published, &new);
	run->published = new;
}

/*
 * If this thread loses its CPU while a record is open, readers make the system
 * call, and may be told of a tick that the page gets only now: it is brought in
 * without waiting for the next one.
 */
void publish(struct run *run)
{
	publish_once(run);
	if (host_clock_changed(&run->host))
		publish_once(run);
}
