// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The thread that plays the kernel's timekeeper.
 *
 * The kernel updates its clocks in the tick, at a fixed phase of
 * CLOCK_MONOTONIC. The thread tries to wake up just when that has happened: it costs
 * nothing and the page is hardly late. How long waking up takes differs from
 * machine to machine and with the load, so the time to sleep is learned all the
 * while: a thread that is early watches the kernel's sequence counter for a moment
 * and sleeps longer next time, one that is late sleeps less. The timer that it
 * sleeps on also expires when somebody sets the clock.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include "clock_thread.h"
#include "guard.h"
#include "host_cpu.h"
#include "publish.h"

/* How long to wait for a tick that is late; a CPU that sleeps makes none. */
#define WATCH_NS		60000
/*
 * The alarm is put back when the tick had to be waited for, and forward when it had
 * come first, by more with each time in a row: the thread is early about one
 * time in five.
 */
#define EARLIER_NS		200
#define EARLIER_MAX_NS		5000
#define LATER_NS		2000
/* Ticks in a row that did not come before the phase is looked for anew. */
#define LOST_AFTER		50
/* How often to look after the guard. */
#define GUARD_TICKS		25

#define LAG_BUCKETS		4096	/* of 1 us, the last one takes all above */

static u32 lag_bucket[LAG_BUCKETS];

/**
 * struct ticks - where the kernel's ticks are
 * @length:	of one, in ns
 * @phase:	when to wake up for one of them, CLOCK_MONOTONIC
 * @lost:	for how many ticks in a row none came
 * @first:	for how many in a row the tick was there first
 * @timer:	what to sleep on
 */
struct ticks {
	s64	length;
	s64	phase;
	int	lost;
	int	first;
	int	timer;
};

static s64 now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* The first tick after @now. */
static s64 next_tick(const struct ticks *ticks, s64 now)
{
	s64 since = (now - ticks->phase) % ticks->length;

	return now + ticks->length - (since < 0 ? since + ticks->length : since);
}

static void note_lag(s64 ns)
{
	s64 us = ns / NSEC_PER_USEC;

	WRITE_ONCE(lag_bucket[us < 0 ? 0 : us < LAG_BUCKETS ? us : LAG_BUCKETS - 1],
		   lag_bucket[us < 0 ? 0 : us < LAG_BUCKETS ? us : LAG_BUCKETS - 1] + 1);
}

/*
 * Sleep until CLOCK_MONOTONIC is @until. The timer itself runs on
 * CLOCK_REALTIME, as only such a one tells that the clock was set. Returns true
 * then.
 */
static bool sleep_until(const struct ticks *ticks, s64 until)
{
	s64 real = until + now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
	struct itimerspec spec = {
		.it_value = { .tv_sec = real / NSEC_PER_SEC, .tv_nsec = real % NSEC_PER_SEC },
	};
	u64 expirations;

	if (timerfd_settime(ticks->timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
			    &spec, NULL))
		return errno == ECANCELED;
	return read(ticks->timer, &expirations, sizeof(expirations)) < 0 && errno == ECANCELED;
}

/* Watch for an update until CLOCK_MONOTONIC is @until; false if none came. */
static bool watch(const struct host_clock *host, s64 until, s64 *last_unchanged)
{
	*last_unchanged = 0;
	for (;;) {
		s64 now = now_ns(CLOCK_MONOTONIC);

		if (host_clock_changed(host))
			return true;
		*last_unchanged = now;
		if (now > until)
			return false;
		arch_vdso_relax();
	}
}

/* Find the phase: watch for as long as it takes an update to come. */
static void find_phase(struct ticks *ticks, struct run *run)
{
	s64 unchanged;

	publish(run);
	if (watch(&run->host, now_ns(CLOCK_MONOTONIC) + 2 * ticks->length, &unchanged))
		ticks->phase = now_ns(CLOCK_MONOTONIC);
	ticks->lost = 0;
	ticks->first = 0;
	publish(run);
}

/* An update was seen, first at @now. @unchanged: when it was not there yet, 0: not known. */
static void learn(struct ticks *ticks, s64 unchanged, s64 due, s64 now)
{
	ticks->first = unchanged ? 0 : ticks->first + 1;
	if (unchanged)
		ticks->phase = due + (now - due < LATER_NS ? now - due : LATER_NS);
	else
		ticks->phase = due - (ticks->first < EARLIER_MAX_NS / EARLIER_NS ?
				      ticks->first * EARLIER_NS : EARLIER_MAX_NS);
	ticks->lost = 0;
}

/* No update came: the alarm was too early, or the CPUs sleep. */
static void miss(struct ticks *ticks, s64 due)
{
	ticks->phase = due + WATCH_NS / 2;
	ticks->first = 0;
	ticks->lost++;
}

static void follow_tick(struct run *run, struct ticks *ticks)
{
	s64 due = next_tick(ticks, now_ns(CLOCK_MONOTONIC));
	s64 unchanged, seen;

	if (sleep_until(ticks, due)) {
		host_clock_was_set(&run->host);
		publish(run);
		return;
	}
	if (ticks->lost >= LOST_AFTER) {
		find_phase(ticks, run);
		return;
	}
	if (!watch(&run->host, now_ns(CLOCK_MONOTONIC) + WATCH_NS, &unchanged)) {
		miss(ticks, due);
		return;
	}
	seen = now_ns(CLOCK_MONOTONIC);
	publish(run);
	/* The update came after @unchanged, or else at the tick at the earliest. */
	note_lag(now_ns(CLOCK_MONOTONIC) - (unchanged ?: due));
	learn(ticks, unchanged, due, seen);
}

/* Be on the CPU when the tick comes; where that is not allowed, do without. */
static void ask_for_priority(void)
{
	const struct sched_param param = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

static sem_t started;

static void *clock_thread(void *argument)
{
	struct run *run = argument;
	struct ticks ticks = {
		.length = run->host.base.coarse_res,
		.timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC),
	};

	guard_check(run);
	sem_post(&started);
	ask_for_priority();
	find_phase(&ticks, run);
	for (unsigned int tick = 1;; tick++) {
		follow_tick(run, &ticks);
		if (tick % GUARD_TICKS == 0)
			guard_check(run);
	}
	return NULL;
}

int clock_thread_start(struct run *run)
{
	pthread_t thread;

	sem_init(&started, 0, 0);
	errno = pthread_create(&thread, NULL, clock_thread, run);
	if (errno)
		return -1;
	while (sem_wait(&started))
		;
	return 0;
}

void clock_thread_lag(struct clock_lag *lag)
{
	u64 seen = 0;

	memset(lag, 0, sizeof(*lag));
	for (u32 us = 0; us < LAG_BUCKETS; us++)
		lag->updates += READ_ONCE(lag_bucket[us]);
	for (u32 us = 0; us < LAG_BUCKETS; us++) {
		u32 here = READ_ONCE(lag_bucket[us]);

		if (seen * 2 < lag->updates)
			lag->median_us = us + 1;
		if (seen * 100 < lag->updates * 99)
			lag->most_us = us + 1;
		if (here)
			lag->max_us = us + 1;
		seen += here;
	}
}
