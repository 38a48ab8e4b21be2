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

static struct vdso_offset difference(struct vdso_offset a, struct vdso_offset b)
{
	struct vdso_offset minus = { .sec = -b.sec, .nsec = 0 };

	if (b.nsec) {
		minus.sec--;
		minus.nsec = NSEC_PER_SEC - b.nsec;
	}
	return vdso_offset_sum(a, minus);
}

/* The kernel's clocks as they are in the page's time namespace. */
static struct vdso_timekeeper in_namespace(const struct data_page *page,
					   const struct vdso_timekeeper *tk)
{
	struct vdso_timekeeper own = *tk;
	const u64 second = (u64)NSEC_PER_SEC << tk->raw.shift;

	own.wall_to_monotonic = vdso_offset_sum(tk->wall_to_monotonic, page->monotonic);
	own.monotonic_to_boot = vdso_offset_sum(tk->monotonic_to_boot,
				    difference(page->boottime, page->monotonic));
	own.raw.sec += page->monotonic.sec;
	own.raw.nsec += (u64)page->monotonic.nsec << tk->raw.shift;
	if (own.raw.nsec >= second) {
		own.raw.nsec -= second;
		own.raw.sec++;
	}
	return own;
}

void publish_page(const struct data_page *page, const struct vdso_timekeeper *tk)
{
	const struct vdso_timekeeper own = in_namespace(page, tk);

	vdso_update(page->segment.memory, &own);
}

/* The supervisor adds pages while this thread walks along them. */
static struct data_page *next_page(const struct data_page *page)
{
	return __atomic_load_n(&page->next, __ATOMIC_ACQUIRE);
}

static const struct data_page *next_live(const struct data_page *page)
{
	do
		page = next_page(page);
	while (page && !page->live);
	return page;
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

void publish_update(const struct data_page *first, const struct vdso_timekeeper *old,
		    const struct vdso_timekeeper *new)
{
	if (needs_handover(old, new)) {
		u64 begin, now;
		s64 ahead;

		for (const struct data_page *page = first; page; page = next_live(page))
			open_counters(page->segment.memory);
		/* What any reader can have been given: readers give up a record opened since. */
		begin = host_cpu_read_counter(new->real.mode);
		ahead = ahead_ns(old, new, begin);
		do {
			now = host_cpu_read_counter(new->real.mode);
		} while (ahead <= HANDOVER_MAX_NS &&
			 (steered_ns(new, now) < steered_ns(old, begin) ||
			  host_clock_ns(&new->raw, now) < host_clock_ns(&old->raw, begin)));
	}
	for (const struct data_page *page = first; page; page = next_live(page))
		publish_page(page, new);
}

static void publish_once(struct run *run)
{
	struct vdso_timekeeper new;

	host_clock_snapshot(&run->host, &new);
	publish_update(&run->data, &run->published, &new);
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
