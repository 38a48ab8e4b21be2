// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Every reading through the image lies between two system calls of the same
 * clock, while a thread keeps the page up to date. Coarse clocks are as late as
 * that thread, never ahead, and never go back.
 */
#include <string.h>

#include "../lib/tap.h"
#include "life.h"

#define SECONDS		2.0
#define UPDATE_US	500

static unsigned long wrong[CLOCK_FUNCTIONS][LIFE_CLOCKS], readings[CLOCK_FUNCTIONS][LIFE_CLOCKS];
static int64_t last[CLOCK_FUNCTIONS][LIFE_CLOCKS], worst_lag;

static bool coarse_is_right(int function, int clock)
{
	const struct clock_functions *f = &vdso.clocks[function];
	clockid_t id = life_clocks[clock].id;
	int64_t before = syscall_ns(f, id);
	int64_t now = image_ns(f, id);
	int64_t after = syscall_ns(f, id);
	bool right = last[function][clock] <= now && now <= after;

	if (!right)
		diag("%s(%d): %lld ns, after %lld, while the system call says %lld",
		     f->gettime_name, id, (long long)now, (long long)last[function][clock],
		     (long long)after);
	if (before - now > worst_lag)
		worst_lag = before - now;
	last[function][clock] = now;
	return right;
}

static void read_once(int function, int clock)
{
	bool right;

	if (!under_test_serves(life_clocks[clock].id))
		return;
	right = life_clocks[clock].coarse ? coarse_is_right(function, clock) :
		life_between(&vdso.clocks[function], life_clocks[clock].id);
	wrong[function][clock] += !right;
	readings[function][clock]++;
}

/* All clocks in turn, so that each meets updates at every point. */
static void read_all(double seconds)
{
	int64_t start = life_now_ns();

	memset(wrong, 0, sizeof(wrong));
	memset(readings, 0, sizeof(readings));
	memset(last, 0, sizeof(last));
	while (life_seconds_since(start) < seconds)
		for (int clock = 0; clock < LIFE_CLOCKS; clock++)
			for (int function = 0; function < CLOCK_FUNCTIONS; function++)
				read_once(function, clock);
}

static void report(const char *when)
{
	for (int function = 0; function < CLOCK_FUNCTIONS; function++)
		for (int clock = 0; clock < LIFE_CLOCKS; clock++) {
			if (!readings[function][clock])
				continue;
			ok(!wrong[function][clock], "%s(%s), %lu readings: %s, %s",
			   vdso.clocks[function].gettime_name, life_clocks[clock].name,
			   readings[function][clock],
			   life_clocks[clock].coarse ? "never back, never ahead" :
			   "between two system calls", when);
		}
}

static void test_all(void)
{
	unsigned long updates;

	for (int clock = 0; clock < LIFE_CLOCKS; clock++)
		if (!under_test_serves(life_clocks[clock].id))
			diag("%s is not served on this host", life_clocks[clock].name);
	if (vdso.tk.real.mode == VDSO_MODE_SYSCALL && under_test_emulated())
		tap_skip("the page serves high-resolution clocks",
			 "the emulated CPU has no counter that programs can read");
	else
		ok(under_test_serves(CLOCK_MONOTONIC), "the page serves high-resolution clocks");
	ok(under_test_serves(CLOCK_MONOTONIC_COARSE), "the page serves coarse clocks");

	life_writer_start(under_test_update, UPDATE_US);
	read_all(life_seconds(SECONDS) / 2);
	updates = life_writer_stop();
	report("page following the host");
	diag("%lu updates; the coarse clocks were up to %lld us late", updates,
	     (long long)worst_lag / 1000);

	read_all(life_seconds(SECONDS) / 4);
	report("page left alone since");
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
