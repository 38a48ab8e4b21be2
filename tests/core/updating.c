// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The writer: what an update leaves in the page, and how it gets there.
 */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core.h"
#include "exact.h"
#include "model.h"

static struct vdso_timekeeper tk;

/* Whether the timekeeper has something to say of a clock: there is a system call for it. */
static bool is_kept(const struct vdso_timekeeper *tk, int id)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		return true;
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
		return tk->alarm_clocks;
	}
	return id >= 16 && tk->aux_enabled >> (id - 16) & 1;
}

static void test_every_record(void)
{
	struct vdso_timekeeper old = { 0 };

	clear_pages();
	for (int round = 0; round < 1000; round++) {
		u32 before[VDSO_CLOCKS];

		for (int id = 0; id < VDSO_CLOCKS; id++)
			before[id] = vdso_pages->clock[id].seq;
		random_timekeeper(&tk);
		if (round & 1)
			tk.real.mode = tk.raw.mode = VDSO_MODE_SYSCALL;
		vdso_update(vdso_pages, &tk);
		for (int id = 0; id < VDSO_CLOCKS; id++) {
			bool due = is_kept(&tk, id) || is_kept(&old, id);

			u32 after = vdso_pages->clock[id].seq;

			expect(due ? after == vdso_pages->seq && after != before[id] :
				     after == before[id], "record %d", id);
		}
		old = tk;
	}
	conclude("an update leaves its number in every record that has been or is to be served");
}

/* The page's own answers beside the records. */
static void test_page_fields(void)
{
	for (int round = 0; round < 1000; round++) {
		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		expect(vdso_pages->tz_minuteswest == tk.tz_minuteswest &&
		       vdso_pages->tz_dsttime == tk.tz_dsttime, "time zone");
		expect(vdso_pages->counter_khz == tk.counter_khz, "frequency");
		expect(vdso_pages->layout_version == VDSO_LAYOUT_VERSION, "version");
		for (int id = 0; id < VDSO_CLOCKS; id++)
			expect(vdso_pages->clock[id].res == model_res(&tk, id), "res of %d", id);
	}
	conclude("time zone, resolutions and frequency follow every update");
}

/* What the short arithmetic makes of it fits 64 bits, whatever the base's ns will be. */
static bool delta_allowed(u64 delta, const struct vdso_clock *c)
{
	struct exact most = exact_mul_add(delta, c->mult, ((u64)NSEC_PER_SEC << c->shift) - 1);

	return delta <= U32_MAX && delta <= c->mask / 2 && !exact_high(most);
}

static void check_max_delta(int id)
{
	const struct vdso_clock *c = &vdso_pages->clock[id];
	u64 eighth = 1u << 29;

	expect(delta_allowed(c->max_delta, c) &&
	       (c->max_delta == c->mask / 2 || c->max_delta >= 7 * eighth),
	       "record %d: max_delta %#llx, mult %#x, shift %u, mask %#llx", id, c->max_delta,
	       c->mult, c->shift, c->mask);
}

static void test_max_delta(void)
{
	for (int round = 0; round < 10000; round++) {
		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		check_max_delta(CLOCK_REALTIME);
		check_max_delta(CLOCK_MONOTONIC);
		check_max_delta(CLOCK_MONOTONIC_RAW);
		check_max_delta(CLOCK_BOOTTIME);
		check_max_delta(CLOCK_TAI);
	}
	conclude("max_delta fits the short arithmetic, and is 7/8 of 32 bits or half of the counter");
}

/* Whether the time is still below a second @delta cycles after the base. */
static bool within_second(u64 delta, const struct vdso_clock *c)
{
	struct exact ns = exact_mul_add(delta, c->mult, c->nsec);

	return !exact_high(ns) && exact_low(ns) >> c->shift < NSEC_PER_SEC;
}

static void check_second_delta(int id)
{
	const struct vdso_clock *c = &vdso_pages->clock[id];

	expect(c->second_delta <= c->max_delta && within_second(c->second_delta, c),
	       "record %d: second_delta %#x, mult %#x, nsec %#llx", id, c->second_delta, c->mult,
	       c->nsec);
	expect(c->second_delta == c->max_delta || !within_second(2 * (c->second_delta + 1ull), c),
	       "record %d: second_delta %#x is less than half of what it may be", id,
	       c->second_delta);
}

static void test_second_delta(void)
{
	for (int round = 0; round < 10000; round++) {
		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		check_second_delta(CLOCK_REALTIME);
		check_second_delta(CLOCK_MONOTONIC);
		check_second_delta(CLOCK_MONOTONIC_RAW);
		check_second_delta(CLOCK_BOOTTIME);
		check_second_delta(CLOCK_TAI);
	}
	conclude("second_delta stays within the second, and is at least half of the most");
}

/* All that can be wrong about a base, in place of something right. */
static void spoil(struct vdso_timebase *base, int how)
{
	switch (how) {
	case 0:
		base->shift = 32 + (u32)random_bits(27);
		break;
	case 1:
		base->nsec = 1000000000ull << base->shift;
		break;
	case 2:
		base->nsec = ~random_bits(60);
		break;
	case 3:
		base->mult = 0;
		break;
	case 4:
		base->mode = VDSO_MODE_COARSE;
		break;
	case 5:
		base->mode = VDSO_MODE_TIMENS;
		break;
	case 6:
		base->mode = random_below(4) ? VDSO_MODE_ARCH + 2 + (u32)random_bits(28) :
					       VDSO_MODE_OPEN;
		break;
	case 7:
		base->mask = 0;
		break;
	case 8:
		base->mask &= ~2ull;
		break;
	}
}
#define WAYS_TO_SPOIL	9

/* Served means exactly right; the counter of mode 6 is unknown, so nothing is right there. */
static void check_spoilt(int id, int how, bool raw)
{
	struct model_time expected = model_read(&tk, NULL, id, sim.counter);
	bool unknown = how == 6 && (raw ? id == CLOCK_MONOTONIC_RAW :
			id != CLOCK_MONOTONIC_RAW && id < CLOCK_AUX &&
			id != CLOCK_REALTIME_COARSE && id != CLOCK_MONOTONIC_COARSE);
	unsigned long calls = sim.calls;
	struct old_time got;

	if (expected.overflow)
		return;
	__vdso_clock_gettime(id, &got);
	if (!expected.served || unknown)
		expect(sim.calls == calls + 1, "clock %d served, spoilt %d", id, how);
	else
		expect(sim.calls == calls && got.sec == (__kernel_long_t)expected.sec &&
		       got.part == (__kernel_long_t)expected.nsec,
		       "clock %d wrong, spoilt %d", id, how);
}

static void test_invalid_bases(void)
{
	const struct vdso_clock *coarse = &vdso_pages->clock[CLOCK_REALTIME_COARSE];

	for (int round = 0; round < 20000; round++) {
		int how = round % WAYS_TO_SPOIL;
		bool raw = random_below(2);
		s64 sec = coarse->sec;

		random_timekeeper(&tk);
		spoil(raw ? &tk.raw : &tk.real, how);
		vdso_update(vdso_pages, &tk);
		expect(coarse->mode == VDSO_MODE_COARSE || coarse->sec == sec,
		       "time() that has seen the mode before loads %lld", (long long)coarse->sec);
		sim.counter = tk.real.cycle_last + random_bits(40);
		for (int id = 0; id < VDSO_CLOCKS; id++)
			check_spoilt(id, how, raw);
	}
	conclude("a base out of its ranges is served by system call, never wrongly");
}

/*
 * What an update does to the page, seen at its barriers: the first one at which a
 * record is open comes when it is still old, the second when it is complete but for the
 * number and the mode. A 32-bit writer may have a third one, between these two.
 */
static struct vdso_page seen;
static struct vdso_timekeeper *guarded;
static int open_id, complete_id;

static int count_open(int *id)
{
	int open = 0;

	for (int i = 0; i < VDSO_CLOCKS; i++)
		if (vdso_pages->clock[i].seq & 1) {
			*id = i;
			open++;
		}
	return open;
}

/* But for the sequence counter and the mode, which tell whether the rest may be used. */
static bool same_content(const struct vdso_clock *a, const struct vdso_clock *b)
{
	return !memcmp(&a->cycle_last, &b->cycle_last,
		       sizeof(*a) - offsetof(struct vdso_clock, cycle_last));
}

static void at_barrier(enum sim_event event)
{
	int id = -1;

	expect(event == SIM_WMB, "the writer reads");
	if (!count_open(&id))
		return;
	expect(count_open(&id) == 1, "more than one record is open");
	if (sizeof(long) == 4 && id == complete_id)
		return;
	expect(vdso_pages->clock[id].mode ==
	       (sizeof(long) == 8 ? VDSO_MODE_OPEN : seen.clock[id].mode),
	       "record %d: mode %#x while it is open", id, vdso_pages->clock[id].mode);
	if (open_id < 0) {
		open_id = id;
		expect(same_content(&vdso_pages->clock[id], &seen.clock[id]),
		       "record %d has changed before the barrier that follows its opening", id);
		mprotect(guarded, sizeof(*guarded), PROT_NONE);
	} else {
		expect(open_id == id, "record %d opened inside record %d", id, open_id);
		mprotect(guarded, sizeof(*guarded), PROT_READ | PROT_WRITE);
		open_id = -1;
		complete_id = id;
		seen = *vdso_pages;
	}
}

static void at_segv(int signal)
{
	static const char text[] =
		"not ok - the writer looked at the timekeeper while a record was open\n";

	_exit(write(STDOUT_FILENO, text, sizeof(text) - 1) < 0 ? 2 : 1);
}

/* What the page holds at the end must be what it held at each record's last barrier. */
static void test_window(void)
{
	guarded = mmap(NULL, sizeof(*guarded), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (guarded == MAP_FAILED) {
		ok(false, "memory for the timekeeper");
		return;
	}
	signal(SIGSEGV, at_segv);
	for (int round = 0; round < 200; round++) {
		if (round % 4 == 0)
			random_timekeeper(guarded);
		else if (round % 4 == 1)
			random_kernel(guarded);
		else
			random_tick(guarded);
		seen = *vdso_pages;
		open_id = complete_id = -1;
		sim.at = at_barrier;
		vdso_update(vdso_pages, guarded);
		sim.at = NULL;
		expect(open_id < 0, "record %d left open", open_id);
		for (int id = 0; id < VDSO_CLOCKS; id++)
			expect(same_content(&vdso_pages->clock[id], &seen.clock[id]),
			       "record %d changed after the barrier before its closing", id);
	}
	signal(SIGSEGV, SIG_DFL);
	munmap(guarded, sizeof(*guarded));
	conclude("one record is open at a time, after everything has been computed");
}

/* Whoever has seen a coarse time never gets an earlier high-resolution one. */
static bool coarse_done, fine_after_coarse;

static void at_opening(enum sim_event event)
{
	int id = -1;

	if (!count_open(&id))
		return;
	if (id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE)
		coarse_done = true;
	else
		fine_after_coarse |= coarse_done;
}

static void test_order(void)
{
	for (int round = 0; round < 10; round++) {
		if (round)
			random_tick(&tk);
		else
			random_kernel(&tk);
		coarse_done = false;
		sim.at = at_opening;
		vdso_update(vdso_pages, &tk);
		sim.at = NULL;
		expect(coarse_done && !fine_after_coarse, "update %d", round);
	}
	conclude("coarse clocks are updated after all others");
}

/* Something else than the times changes; several of these may come together. */
static void random_change(void)
{
	struct vdso_timebase *base = random_below(2) ? &tk.raw : &tk.real;

	switch (random_below(13)) {
	case 0:
		random_kernel(&tk);
		break;
	case 1:
		random_timekeeper(&tk);
		break;
	case 2:
		tk.real.mode = tk.raw.mode = random_below(2) ? VDSO_MODE_SYSCALL : VDSO_MODE_SIM;
		break;
	case 3:
		base->mode = random_below(2) ? VDSO_MODE_SYSCALL : VDSO_MODE_SIM_COMPLEX;
		break;
	case 4:
		tk.alarm_clocks = !tk.alarm_clocks;
		break;
	case 5:
		tk.aux_enabled ^= (u8)(1 << random_below(8));
		break;
	case 6:
		tk.aux_enabled = 0;
		break;
	case 7:
		tk.coarse_res++;
		break;
	case 8:
		base->res++;
		break;
	case 9:
		base->mult = random_below(4) ? (u32)random_bits(32) : base->mult + 1;
		break;
	case 10:
		base->mask = ~0ull >> random_below(60);
		if (random_below(2))
			tk.real.mask = tk.raw.mask = base->mask;
		break;
	case 11:
		base->shift = (u32)random_below(34);
		if (random_below(2))
			tk.real.shift = tk.raw.shift = base->shift;
		break;
	case 12:
		spoil(base, (int)random_below(WAYS_TO_SPOIL));
		break;
	}
}

/* Bases that were wrong are right again. */
static void repair(void)
{
	if (!model_counter_valid(&tk.real) || !model_counter_valid(&tk.raw))
		random_kernel(&tk);
}

/* But for the numbers of the updates, two records say the same. */
static bool same_record(const struct vdso_clock *a, const struct vdso_clock *b)
{
	if (a->mode != b->mode || a->res != b->res)
		return false;
	return a->mode == VDSO_MODE_SYSCALL || same_content(a, b);
}

static void check_same_page(const struct vdso_page *page, const struct vdso_page *fresh)
{
	for (int id = 0; id < VDSO_CLOCKS; id++) {
		const struct vdso_clock *a = &page->clock[id], *b = &fresh->clock[id];

		expect(same_record(a, b), "record %d", id);
		expect(!(a->seq & 1), "record %d is open", id);
		expect(!is_kept(&tk, id) || a->mode == VDSO_MODE_SYSCALL || a->seq == page->seq,
		       "record %d is not of this update", id);
	}
	expect(page->layout_version == fresh->layout_version &&
	       page->counter_khz == fresh->counter_khz &&
	       page->tz_minuteswest == fresh->tz_minuteswest &&
	       page->tz_dsttime == fresh->tz_dsttime && page->ticks == fresh->ticks,
	       "fields behind the records");
}

static void check_update(void)
{
	static struct vdso_page fresh;

	vdso_update(vdso_pages, &tk);
	memset(&fresh, 0, sizeof(fresh));
	vdso_update(&fresh, &tk);
	check_same_page(vdso_pages, &fresh);
}

static void test_incremental(void)
{
	clear_pages();
	random_kernel(&tk);
	for (int round = 0; round < 100000; round++) {
		if (!random_below(8))
			repair();
		else if (model_base_valid(&tk.real) && model_base_valid(&tk.raw))
			random_tick(&tk);
		while (!random_below(3))
			random_change();
		if (!random_below(50))
			vdso_stop(vdso_pages);
		check_update();
	}
	conclude("an update of a page that was in use gives what a first one gives");
}

/* A full update says which layout it is of; a tick has no reason to. */
static void test_ticks(void)
{
	for (int round = 0; round < 2000; round++) {
		random_kernel(&tk);
		if (!random_below(4))
			tk.real.mode = tk.raw.mode = VDSO_MODE_SYSCALL;
		vdso_update(vdso_pages, &tk);
		for (int i = 0; i < 10; i++) {
			random_tick(&tk);
			vdso_pages->layout_version = 0;
			vdso_update(vdso_pages, &tk);
			expect(!vdso_pages->layout_version,
			       "mult %#x, shift %u, mask %#llx", tk.real.mult, tk.real.shift,
			       tk.real.mask);
		}
		vdso_pages->layout_version = VDSO_LAYOUT_VERSION;
		check_update();
	}
	conclude("when the times have moved on, only what that changes is written");
}

/* The writer dies at one of its barriers; the next update repairs what it left. */
static struct vdso_page died;
static unsigned int barriers, die_at;

static void at_death(enum sim_event event)
{
	if (barriers++ == die_at)
		died = *vdso_pages;
}

static void test_dead_writer(void)
{
	for (int round = 0; round < 20000; round++) {
		random_kernel(&tk);
		vdso_update(vdso_pages, &tk);
		if (random_below(2))
			random_tick(&tk);
		else
			random_change();
		barriers = 0;
		die_at = (unsigned int)random_below(70);
		died = *vdso_pages;
		sim.at = at_death;
		vdso_update(vdso_pages, &tk);
		sim.at = NULL;
		*vdso_pages = died;
		if (model_base_valid(&tk.real) && model_base_valid(&tk.raw) && random_below(2))
			random_tick(&tk);
		check_update();
	}
	conclude("an update after one that was not finished leaves nothing of it");
}

static bool all_stopped(void)
{
	struct old_time ts;

	for (int id = 0; id < VDSO_CLOCKS; id++) {
		sim.calls = 0;
		__vdso_clock_gettime(id, &ts);
		__vdso_clock_getres(id, &ts);
		if (sim.calls != 2 || vdso_pages->clock[id].seq & 1)
			return false;
	}
	return true;
}

static void test_stop(void)
{
	s32 tz[2];

	for (int round = 0; round < 1000; round++) {
		struct model_time expected;
		struct old_time got;

		random_timekeeper(&tk);
		vdso_update(vdso_pages, &tk);
		/* A dead writer leaves a record open and half written. */
		for (int i = 0; i < 2; i++) {
			struct vdso_clock *c = &vdso_pages->clock[random_below(VDSO_CLOCKS)];

			vdso_seq_open(c);
			c->cycle_last = random_u64();
		}
		vdso_stop(vdso_pages);
		expect(all_stopped(), "a clock is still served");
		sim.calls = 0;
		__vdso_gettimeofday(NULL, tz);
		expect(sim.calls == 1, "the time zone is still served");

		vdso_update(vdso_pages, &tk);
		sim.counter = tk.real.cycle_last;
		expected = model_read(&tk, NULL, CLOCK_MONOTONIC, sim.counter);
		sim.calls = 0;
		__vdso_clock_gettime(CLOCK_MONOTONIC, &got);
		expect(!sim.calls && got.part == (__kernel_long_t)expected.nsec,
		       "the next update serves again");
	}
	conclude("vdso_stop() sends every reader to the system call, the next update back");
}

int main(void)
{
	random_seed();
	test_every_record();
	test_page_fields();
	test_max_delta();
	test_second_delta();
	test_invalid_bases();
	test_window();
	test_order();
	test_incremental();
	test_ticks();
	test_dead_writer();
	test_stop();
	return tap_done();
}
