// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A writer that is late does not make time go back: publish_update(), and what it
 * relies on.
 */
#include <stdlib.h>
#include <string.h>
#include <vdso/hooks.h>
#include <vdso/update.h>
#include "../lib/tap.h"
#include "host_clock.h"
#include "host_cpu.h"
#include "../../tools/vdso-run/publish.h"

#define MULT	(1u << 23)	/* half a ns for each cycle */
#define SHIFT	24

static struct vdso_page page;
static struct data_page data = { .segment = { .memory = &page }, .live = true };

/* A timekeeper whose lines begin now, @ns after some second. */
static struct vdso_timekeeper timekeeper(u64 cycles, s64 ns)
{
	struct vdso_timekeeper tk = {
		.real = {
			.mode = VDSO_MODE_TSC_LFENCE, .mult = MULT, .shift = SHIFT, .res = 1,
			.cycle_last = cycles, .mask = U64_MAX,
			.sec = 1000, .nsec = (u64)ns << SHIFT,
		},
		.coarse_res = 4000000,
	};

	tk.raw = tk.real;
	return tk;
}

/* What a reader makes of the record now; -1: it is open, or not served. */
static s64 read_ns(int id)
{
	const struct vdso_clock *c = &page.clock[id];
	const struct vdso_timebase base = {
		.mult = c->mult, .shift = c->shift, .cycle_last = c->cycle_last,
		.mask = c->mask, .sec = c->sec, .nsec = c->nsec,
	};

	if (c->seq & 1 || c->mode != VDSO_MODE_TSC_LFENCE)
		return -1;
	return host_clock_ns(&base, host_cpu_read_counter(VDSO_MODE_TSC_LFENCE));
}

/*
 * The new line is @behind ns below the old one. Returns by how much @id went back
 * over the update, negative: it went on.
 */
static s64 step_back(int id, s64 behind)
{
	u64 cycles = host_cpu_read_counter(VDSO_MODE_TSC_LFENCE);
	struct vdso_timekeeper old = timekeeper(cycles, 500000000);
	struct vdso_timekeeper new = timekeeper(cycles, 500000000 - behind);
	s64 before, after;

	vdso_update(&page, &old);
	before = read_ns(id);
	publish_update(&data, &old, &new);
	after = read_ns(id);
	if (before < 0 || after < 0)
		return 1000000000;
	return before - after;
}

/* The most of many tries; an interruption between update and reading hides a step. */
static s64 worst_step_back(int id, s64 behind)
{
	s64 worst = -1000000000;

	for (int i = 0; i < 2000; i++) {
		s64 step = step_back(id, behind);

		if (step > worst)
			worst = step;
	}
	return worst;
}

static void test_monotonic(void)
{
	static const int ids[] = {
		CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI,
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		s64 step = worst_step_back(ids[i], 900);

		if (!ok(step <= 0, "clock %d does not go back when its line falls by 900 ns", ids[i]))
			diag("it went back by %lld ns", (long long)step);
	}
}

/* Nobody waits for a step that the kernel itself made. */
static void test_bounded(void)
{
	s64 step = worst_step_back(CLOCK_MONOTONIC, 100000000);

	ok(step > 50000000, "a fall by 100 ms is passed on at once");
}

/* One that was interrupted says nothing: the fall may have become a step of the kernel's. */
static void test_lower_slope(void)
{
	u64 cycles, elapsed;
	s64 before, after;

	do {
		struct vdso_timekeeper old, new;

		cycles = host_cpu_read_counter(VDSO_MODE_TSC_LFENCE);
		old = timekeeper(cycles, 0);
		new = old;
		new.real.mult -= MULT / 2000;	/* 500 ppm less */
		vdso_update(&page, &old);
		while (host_cpu_read_counter(VDSO_MODE_TSC_LFENCE) - cycles < 1500000)
			;
		before = read_ns(CLOCK_MONOTONIC);
		publish_update(&data, &old, &new);
		after = read_ns(CLOCK_MONOTONIC);
		elapsed = host_cpu_read_counter(VDSO_MODE_TSC_LFENCE) - cycles;
	} while (elapsed > 2000000);
	ok(after >= before, "a slope that has become smaller does not take time back");
	ok(!(page.clock[CLOCK_MONOTONIC].seq & 1), "the record is closed afterwards");
}

/* The line that @base describes, at @cycles, << SHIFT. */
static __int128 line(const struct vdso_timebase *base, u64 cycles)
{
	return (((__int128)base->sec * NSEC_PER_SEC) << base->shift) + base->nsec +
	       (__int128)(s64)(cycles - base->cycle_last) * base->mult;
}

static void test_rebase(void)
{
	int wrong_line = 0, wrong_base = 0;

	srand(1);
	for (int i = 0; i < 100000; i++) {
		struct vdso_timebase base = {
			.mult = MULT + (u32)rand() % MULT, .shift = SHIFT, .mask = U64_MAX,
			.cycle_last = 1ull << 40, .sec = 1700000000,
			.nsec = ((u64)rand() % NSEC_PER_SEC << SHIFT) + (u64)rand() % MULT,
		}, moved = base;
		s64 ns = base.sec * NSEC_PER_SEC + (s64)(base.nsec >> SHIFT) +
			 rand() % 20001 - 10000;

		host_clock_rebase(&moved, ns);
		wrong_line += line(&base, 1ull << 41) != line(&moved, 1ull << 41);
		wrong_base += moved.sec * NSEC_PER_SEC + (s64)(moved.nsec >> SHIFT) != ns ||
			      moved.nsec >> SHIFT >= NSEC_PER_SEC;
	}
	ok(!wrong_line, "a moved base describes the same line, exactly");
	ok(!wrong_base, "its time is the one asked for");
}

static void test_sources(void)
{
	struct host_clock host;
	struct vdso_timekeeper tk;
	char why[512];
	u32 arg;

	if (!ok(!host_clock_open(&host, why, sizeof(why)), "there is a source of parameters"))
		diag("%s", why);
	host_clock_snapshot(&host, &tk);
	ok(tk.coarse_res >= 100000 && tk.coarse_res <= 10000000, "a tick takes 0.1 to 10 ms");
	host_clock_describe(&host, why, sizeof(why));
	diag("%s; getcpu by mode %u", why, host_cpu_number_source(&arg));
}

int main(void)
{
	test_monotonic();
	test_bounded();
	test_lower_slope();
	test_rebase();
	test_sources();
	return tap_done();
}
