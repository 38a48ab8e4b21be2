// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A timer signal 50 us after the last one was handled, and the handler itself reads
 * clocks: the functions keep no state, so they can be interrupted anywhere and
 * called again. The interrupted code also updates the page: then the handler finds a
 * record that is open and stays open for as long as it runs, and must get its
 * time all the same.
 *
 * It has caught an i386 image that kept registers below the stack pointer, where
 * the signal's frame goes: the callers' registers were lost now and then.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../lib/tap.h"
#include "life.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* not in glibc before 2.34 */
#endif

#define SECONDS		1.5
/* Until there are so many signals, however slow the machine is; but not forever. */
#define SIGNALS		100
#define PATIENCE	60
#define PERIOD_NS	50000
/* Updates per reading: so many that signals meet them often. */
#define UPDATES		10
/* And so many calls. */
#define CALLS		2000

static timer_t timer;
static volatile unsigned long signals, wrong_inside, wrong_outside, readings, met_open;

static bool page_is_open(void)
{
	for (int id = 0; id < VDSO_CLOCKS; id++)
		if (vdso.page->clock[id].seq & 1)
			return true;
	return false;
}

/* Not life_between(): printf() is not to be called from a handler. */
static bool is_right(const struct clock_functions *f, clockid_t id)
{
	int64_t before = syscall_ns(f, id);
	int64_t now = image_ns(f, id);
	int64_t after = syscall_ns(f, id);

	return is_between(id, before, now, after);
}

/*
 * Once, not periodically: on a busy machine a handler can take longer than the
 * period, and then the code around it would never get on.
 */
static bool next_signal(void)
{
	const struct itimerspec once = { .it_value.tv_nsec = PERIOD_NS };

	return !timer_settime(timer, 0, &once, NULL);
}

static void on_timer(int unused)
{
	const struct clock_functions *f = &vdso.clocks[signals % CLOCK_FUNCTIONS];
	unsigned int cpu;

	met_open += page_is_open();
	for (int clock = 0; clock < 5; clock++)
		wrong_inside += !is_right(f, life_clocks[clock].id);
	wrong_inside += image_ns(f, CLOCK_MONOTONIC_COARSE) > syscall_ns(f, CLOCK_MONOTONIC);
	if (vdso.getcpu)
		vdso.getcpu(&cpu, NULL, NULL);
	signals++;
	next_signal();
}

/* To this thread: an x32 image needs this one's stack. */
static bool start_storm(void)
{
	struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };

	event.sigev_notify_thread_id = gettid();
	return !sigaction(SIGRTMIN, &action, NULL) &&
	       !timer_create(CLOCK_MONOTONIC, &event, &timer) && next_signal();
}

static void read_and_update(void)
{
	for (int clock = 0; clock < 5; clock++) {
		const struct clock_functions *f = &vdso.clocks[readings++ % CLOCK_FUNCTIONS];

		wrong_outside += !is_right(f, life_clocks[clock].id);
		for (int i = 0; i < UPDATES; i++)
			life_update_flipping();
		/* Many signals must come inside of a call, at each of its instructions. */
		for (int i = 0; i < CALLS; i++)
			image_ns(f, CLOCK_MONOTONIC_COARSE);
	}
}

static void test_all(void)
{
	int64_t start = life_now_ns();

	if (!ok(start_storm(), "a timer signals every %d us", PERIOD_NS / 1000))
		return;
	while (life_seconds_since(start) < life_seconds(SECONDS) ||
	       (signals < SIGNALS && life_seconds_since(start) < PATIENCE))
		read_and_update();
	timer_delete(timer);

	ok(signals >= SIGNALS, "%lu signals in %.1f s", signals, life_seconds_since(start));
	ok(!wrong_inside, "in the handler: the right time (%lu wrong)", wrong_inside);
	ok(!wrong_outside, "around it: %lu readings, the right time (%lu wrong)", readings,
	   wrong_outside);
	if (!met_open && under_test_emulated())
		tap_skip("signals that come while a record is open",
			 "the emulator delivers them between blocks of instructions only");
	else
		ok(met_open, "%lu signals came while a record was open", met_open);
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
