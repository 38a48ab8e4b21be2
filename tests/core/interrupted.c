// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The reader and a writer that gets in its way: between any two steps of the
 * reader, again and again, or for ever.
 */
#include "core.h"
#include "model.h"

static struct vdso_timekeeper old_tk, new_tk;
static unsigned int events, act_at;
static unsigned int relaxes;

/* The writer acts at one event of the read, and never in the middle of its own work. */
static void update_once(enum sim_event event)
{
	if (events++ != act_at)
		return;
	sim.at = NULL;
	vdso_update(vdso_pages, &new_tk);
}

static void update_always(enum sim_event event)
{
	sim.at = NULL;
	vdso_update(vdso_pages, &new_tk);
	sim.at = update_always;
}

static void count_relaxes(enum sim_event event)
{
	relaxes += event == SIM_RELAX;
}

static bool agrees(const struct old_time *got, struct model_time expected)
{
	return got->sec == (__kernel_long_t)expected.sec &&
	       got->part == (__kernel_long_t)expected.nsec;
}

/* Two snapshots that differ in every field, and clocks that all say something else. */
static void random_snapshots(void)
{
	random_timekeeper(&old_tk);
	random_timekeeper(&new_tk);
	old_tk.alarm_clocks = new_tk.alarm_clocks = true;
	old_tk.aux_enabled = new_tk.aux_enabled = 0xff;
	sim.counter = random_u64();
}

/* One read of @id with one update at event number @at of it. False: it had fewer. */
static bool read_with_update(int id, unsigned int at)
{
	struct old_time got = { UNTOUCHED, UNTOUCHED };
	struct model_time old, new;
	unsigned long calls = sim.calls;

	vdso_update(vdso_pages, &old_tk);
	events = 0;
	act_at = at;
	sim.at = update_once;
	__vdso_clock_gettime(id, &got);
	sim.at = NULL;
	old = model_read(&old_tk, NULL, id, sim.counter);
	new = model_read(&new_tk, NULL, id, sim.counter);
	if (!old.overflow && !new.overflow)
		expect(sim.calls == calls && (agrees(&got, old) || agrees(&got, new)),
		       "clock %d, update at step %u: neither the old nor the new time", id, at);
	return events > at;
}

/* The new one is a tick of the old one. */
static void random_ticks(void)
{
	random_kernel(&old_tk);
	old_tk.alarm_clocks = true;
	new_tk = old_tk;
	random_tick(&new_tk);
	sim.counter = random_u64();
}

static void test_one_update(void)
{
	for (int round = 0; round < 1000; round++) {
		if (round & 1)
			random_ticks();
		else
			random_snapshots();
		for (int id = 0; id < VDSO_CLOCKS; id++) {
			unsigned int at = 0;

			if (!model_read(&old_tk, NULL, id, 0).served)
				continue;
			while (read_with_update(id, at))
				at++;
		}
	}
	conclude("an update between any two steps of a read: the old time or the new one");
}

static void test_endless_updates(void)
{
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		unsigned long calls = sim.calls;
		struct old_time ts;

		random_snapshots();
		vdso_update(vdso_pages, &old_tk);
		sim.at = update_always;
		__vdso_clock_gettime(id, &ts);
		sim.at = NULL;
		expect(sim.calls == calls + 1, "clock %d", id);
	}
	conclude("an update at every step of a read: the reader makes the system call");
}

/* The clocks' reads with @id's record open. */
static void check_left_open(int id)
{
	unsigned long calls = sim.calls;
	struct old_time ts = { UNTOUCHED, UNTOUCHED };

	relaxes = 0;
	sim.at = count_relaxes;
	__vdso_clock_gettime(id, &ts);
	expect(sim.calls == calls + 1 && ts.sec == UNTOUCHED, "clock_gettime(%d)", id);
	expect(relaxes && relaxes < 1000, "clock_gettime(%d) spun %u times", id, relaxes);
#ifdef __NR_clock_gettime64
	expect(__vdso_clock_gettime64(id, &ts) == sim.result &&
	       sim.call.nr == __NR_clock_gettime64, "clock_gettime64(%d)", id);
#endif
	calls = sim.calls;
	if (id == CLOCK_REALTIME)
		expect(__vdso_gettimeofday(&ts.sec, NULL) == sim.result &&
		       sim.calls == calls + 1, "gettimeofday");
#ifdef __NR_time
	/* Its second is right, the old one or the new, for as long as the mode is COARSE. */
	if (id == CLOCK_REALTIME_COARSE && vdso_pages->clock[id].mode != VDSO_MODE_COARSE)
		expect(__vdso_time(NULL) == sim.result && sim.calls == calls + 1, "time");
#endif
	sim.at = NULL;
}

static void test_left_open(void)
{
	random_snapshots();
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		if (!model_read(&old_tk, NULL, id, 0).served)
			continue;
		vdso_update(vdso_pages, &old_tk);
		vdso_seq_open(&vdso_pages->clock[id]);
		check_left_open(id);
		vdso_update(vdso_pages, &old_tk);
		expect(!(vdso_pages->clock[id].seq & 1), "the next update closes record %d", id);
	}
	conclude("a writer that died in the middle: a bounded wait, then the system call");
}

/* A writer that is at work for the first few tries: no system call is made. */
static void test_waits(void)
{
	for (int even = 0; even <= 1; even++) {
		struct vdso_clock *c = &vdso_pages->clock[CLOCK_MONOTONIC];
		unsigned long calls = sim.calls;
		struct model_time expected;
		struct old_time got;

		random_snapshots();
		new_tk.real.sec = 1700000000;
		new_tk.real.mask = ~0ull;
		sim.counter = new_tk.real.cycle_last;
		vdso_update(vdso_pages, &old_tk);
		vdso_seq_open(c);
		/* What a reader can see of a 64-bit writer that has just opened or closed it. */
		if (even) {
			c->seq++;
			c->mode = VDSO_MODE_OPEN;
		}
		events = 0;
		act_at = 20;
		sim.at = update_once;
		__vdso_clock_gettime(CLOCK_MONOTONIC, &got);
		sim.at = NULL;
		expected = model_read(&new_tk, NULL, CLOCK_MONOTONIC, sim.counter);
		expect(sim.calls == calls && agrees(&got, expected), "%s number",
		       even ? "even" : "odd");
	}
	conclude("a reader waits for a writer at work, before and after it has the record open");
}

/* Every other record is served on: writers die in one record only. */
static void test_others_served(void)
{
	struct old_time ts;
	unsigned long calls;

	random_snapshots();
	vdso_update(vdso_pages, &old_tk);
	vdso_seq_open(&vdso_pages->clock[CLOCK_MONOTONIC]);
	calls = sim.calls;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	__vdso_clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	__vdso_clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	ok(sim.calls == calls, "an open record holds up no other clock");
	vdso_update(vdso_pages, &old_tk);
}

static char trace[64];

static void record_event(enum sim_event event)
{
	size_t length = strlen(trace);

	if (length < sizeof(trace) - 1)
		trace[length] = "lwrc"[event];
}

/* l: load barrier, c: counter read */
static void test_order(void)
{
	struct old_time ts;

	random_snapshots();
	old_tk.real.mask = ~0ull;
	vdso_update(vdso_pages, &old_tk);
	sim.counter = old_tk.real.cycle_last;
	memset(trace, 0, sizeof(trace));
	sim.at = record_event;
	__vdso_clock_gettime(CLOCK_MONOTONIC, &ts);
	sim.at = NULL;
	if (!ok(!strcmp(trace, "lcl"), "the counter is read between two load barriers"))
		diag("saw %s instead of lcl", trace);

	memset(trace, 0, sizeof(trace));
	sim.at = record_event;
	__vdso_clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	sim.at = NULL;
	if (!ok(!strcmp(trace, "ll"), "a coarse clock is read between two load barriers"))
		diag("saw %s instead of ll", trace);
}

/* The sequence counter goes through its largest value. */
static void test_seq_wrap(void)
{
	struct old_time got;
	unsigned long calls = sim.calls;

	random_snapshots();
	vdso_pages->seq = ~1u;
	for (int i = 0; i < 3; i++) {
		struct model_time now = model_read(&old_tk, NULL, CLOCK_REALTIME, sim.counter);

		vdso_update(vdso_pages, &old_tk);
		__vdso_clock_gettime(CLOCK_REALTIME, &got);
		expect(sim.calls == calls && (now.overflow || agrees(&got, now)), "update %d", i);
	}
	expect(vdso_pages->clock[CLOCK_REALTIME].seq == 4, "sequence counter");
	conclude("the sequence counter wraps");
}

/* A counter that takes a protocol, with an other side that may be writing. */
static void test_complex_counter(void)
{
	struct model_time expected;
	struct old_time got;
	unsigned long calls;

	random_snapshots();
	old_tk.real.mode = VDSO_MODE_SIM_COMPLEX;
	old_tk.real.sec = 5;
	old_tk.real.shift = 24;
	vdso_update(vdso_pages, &old_tk);
	sim.counter = old_tk.real.cycle_last;
	sim.complex = VDSO_READ_DONE;
	calls = sim.calls;
	__vdso_clock_gettime(CLOCK_REALTIME, &got);
	old_tk.real.mode = VDSO_MODE_SIM;
	expected = model_read(&old_tk, NULL, CLOCK_REALTIME, sim.counter);
	expect(sim.calls == calls && agrees(&got, expected), "done");
	sim.complex = VDSO_READ_AGAIN;
	__vdso_clock_gettime(CLOCK_REALTIME, &got);
	expect(sim.calls == ++calls, "again and again");
	sim.complex = VDSO_READ_SYSCALL;
	__vdso_clock_gettime(CLOCK_REALTIME, &got);
	expect(sim.calls == ++calls, "not usable");
	conclude("a complex counter: done, a bounded number of tries, not usable");
}

int main(void)
{
	random_seed();
	sim.result = -1234;
	test_one_update();
	test_endless_updates();
	test_left_open();
	test_waits();
	test_others_served();
	test_order();
	test_seq_wrap();
	test_complex_counter();
	return tap_done();
}
