// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reader and writer at every point of each other: the writer is stopped at each
 * of its instructions and all clocks are read, and the readers are stopped at
 * each of theirs and the page is updated. Nothing is left to chance. The core
 * is compiled for the simulated machine, so that the counter stands still.
 */
#include "../core/core.h"
#include "../core/model.h"
#include "step.h"

static struct vdso_timekeeper old_tk, new_tk;
static struct model_time old_time[VDSO_CLOCKS], new_time[VDSO_CLOCKS];

/* The base as it is most of the time: a counter that the short arithmetic takes. */
static void make_short(struct vdso_timebase *base, u64 cycle_last)
{
	base->mask = ~0ull;
	base->cycle_last = cycle_last;
	base->mult &= 0xffffff;
	base->shift = 16 + base->shift % 16;
	base->nsec = random_below(1000000000ull << base->shift);
}

static void make_all_short(struct vdso_timekeeper *tk, u64 cycle_last)
{
	make_short(&tk->real, cycle_last);
	make_short(&tk->raw, cycle_last);
	for (int i = 0; i < VDSO_AUX_CLOCKS; i++)
		make_short(&tk->aux[i], cycle_last);
}

static void model_times(void)
{
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		old_time[id] = model_read(&old_tk, NULL, id, sim.counter);
		new_time[id] = model_read(&new_tk, NULL, id, sim.counter);
	}
}

/* Two snapshots that differ in every field, so that no mixture of them is right. */
static void random_snapshots(bool short_way)
{
	random_timekeeper(&old_tk);
	random_timekeeper(&new_tk);
	old_tk.alarm_clocks = new_tk.alarm_clocks = true;
	old_tk.aux_enabled = new_tk.aux_enabled = 0xff;
	sim.counter = random_u64();
	old_tk.real.sec = old_tk.raw.sec = 1700000000;
	new_tk.real.sec = new_tk.raw.sec = -1;
	old_tk.raw.shift = new_tk.raw.shift = 31;
	old_tk.raw.nsec = new_tk.raw.nsec = 0;
	if (short_way) {
		make_all_short(&old_tk, sim.counter - 1000000 - random_below(1000));
		make_all_short(&new_tk, sim.counter - random_below(1000));
	}
	model_times();
}

/* The new snapshot is a tick of the old one: another time on the same counter. */
static void random_ticks(void)
{
	sim.counter = random_u64();
	do {
		random_kernel(&old_tk);
		old_tk.alarm_clocks = true;
		old_tk.real.sec = old_tk.raw.sec = 1700000000;
		new_tk = old_tk;
		random_tick(&new_tk);
		new_tk.real.sec = new_tk.raw.sec = -1;
	} while (new_tk.real.mult == old_tk.real.mult);
	model_times();
}

static bool usable(int id)
{
	return old_time[id].served && !old_time[id].overflow && !new_time[id].overflow;
}

static bool agrees(const struct old_time *got, struct model_time expected)
{
	return got->sec == (__kernel_long_t)expected.sec &&
	       got->part == (__kernel_long_t)expected.nsec;
}

/* One clock with the writer stopped: the old time, the new, or, while it works on it, the call. */
static void check_clock(int id, unsigned long step)
{
	const struct vdso_clock *c = &vdso_pages->clock[id];
	bool open = c->seq & 1 || c->mode == VDSO_MODE_OPEN;
	unsigned long calls = sim.calls;
	struct old_time got;

	if (!usable(id))
		return;
	__vdso_clock_gettime(id, &got);
	if (open)
		expect(sim.calls == calls + 1, "clock %d served from an open record", id);
	else
		expect(sim.calls == calls && (agrees(&got, old_time[id]) ||
					      agrees(&got, new_time[id])),
		       "clock %d, writer at its instruction %lu: a mixture", id, step);
}

#define ROUNDS		4
#define LONGEST_WINDOW	64
static unsigned long window, longest_window;
static unsigned int most_open;

static void measure_window(void)
{
	unsigned int open = 0;

	for (int id = 0; id < VDSO_CLOCKS; id++)
		open += vdso_pages->clock[id].seq & 1;
	if (open > most_open)
		most_open = open;
	window = open ? window + 1 : 0;
	if (window > longest_window)
		longest_window = window;
}

static void check_calibration(unsigned long step)
{
	struct counter_calibration cal;
	int ret = __vdso_counter_calibration(&cal);
	bool old, new;

	if (ret == COUNTER_CALIBRATION_BUSY)
		return;
	old = cal.raw.cycle_last == old_tk.raw.cycle_last && cal.raw.mult == old_tk.raw.mult &&
	      cal.raw.shift == old_tk.raw.shift;
	new = cal.raw.cycle_last == new_tk.raw.cycle_last && cal.raw.mult == new_tk.raw.mult &&
	      cal.raw.shift == new_tk.raw.shift;
	expect(!ret && (old || new), "calibration, writer at its instruction %lu: %s", step,
	       counter_calibration_error(ret));
}

/* What the readers say changes only with the page. */
static bool writer_step(unsigned long step)
{
	static struct vdso_page seen;

	measure_window();
	if (!memcmp(&seen, vdso_pages, sizeof(seen)))
		return true;
	seen = *vdso_pages;
	check_calibration(step);
	for (int id = 0; id < VDSO_CLOCKS; id++)
		check_clock(id, step);
	return true;
}

static void update(void)
{
	vdso_update(vdso_pages, &new_tk);
}

static void test_writer_stopped(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		if (round < ROUNDS / 2)
			random_snapshots(round & 1);
		else
			random_ticks();
		vdso_update(vdso_pages, &old_tk);
		single_step(update, writer_step);
	}
	conclude("writer stopped at every instruction: all clocks old, new, or by system call");
	ok(most_open == 1, "one record is open at a time");
	if (ok(longest_window <= LONGEST_WINDOW,
	       "a record is open for at most %d instructions", LONGEST_WINDOW))
		diag("open for %lu instructions; %lu for a tick", longest_window, steps);
}

/* The reader under test, and at which of its instructions the writer comes. */
static const int read_ids[] = {
	CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC_RAW,
};
static int read_id;
static struct old_time got;
static unsigned long act_at;

static void read_clock(void)
{
	__vdso_clock_gettime(read_id, &got);
}

static bool update_at_step(unsigned long step)
{
	if (step < act_at)
		return true;
	vdso_update(vdso_pages, &new_tk);
	return false;
}

/*
 * Where to stop next. The long way spends most of its instructions on a division,
 * whose every step need not be seen.
 */
static unsigned long after(unsigned long at)
{
	return at < 120 ? at + 1 : at + 1 + random_below(300);
}

/* False: the read has fewer instructions. */
static bool check_reader(unsigned long at)
{
	unsigned long calls = sim.calls;

	vdso_update(vdso_pages, &old_tk);
	act_at = at;
	single_step(read_clock, update_at_step);
	expect(sim.calls == calls && (agrees(&got, old_time[read_id]) ||
				      agrees(&got, new_time[read_id])),
	       "clock %d, updated before instruction %lu of the read: a mixture", read_id, at);
	return steps > at;
}

static void test_reader_stopped(void)
{
	unsigned long at;

	for (unsigned int i = 0; i < ARRAY_SIZE(read_ids); i++) {
		random_snapshots(i < 2);
		read_id = read_ids[i];
		for (at = 0; check_reader(at); at = after(at))
			;
	}
	conclude("an update at every instruction of a read: the old time or the new one");
}

/* The writer dies with the record open and some of it written. */
static bool die_at_step(unsigned long step)
{
	struct vdso_clock *c = &vdso_pages->clock[read_id];

	if (step < act_at)
		return true;
	vdso_seq_open(c);
	c->cycle_last = new_tk.real.cycle_last;
	c->mult = new_tk.real.mult;
	return false;
}

static bool check_reader_alone(unsigned long at)
{
	unsigned long calls = sim.calls;

	vdso_update(vdso_pages, &old_tk);
	act_at = at;
	single_step(read_clock, die_at_step);
	expect(sim.calls == calls + 1 || agrees(&got, old_time[read_id]),
	       "clock %d, writer died before instruction %lu of the read", read_id, at);
	return steps > at;
}

static void test_writer_dies(void)
{
	unsigned long at;

	random_snapshots(true);
	for (unsigned int i = 0; i < 2; i++) {
		read_id = read_ids[i];
		for (at = 0; check_reader_alone(at); at = after(at))
			;
	}
	conclude("the writer dies at any instruction of a read: the old time or the system call");
}

int main(void)
{
	random_seed();
	test_writer_stopped();
	test_reader_stopped();
	test_writer_dies();
	return tap_done();
}
