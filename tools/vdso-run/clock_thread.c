// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The thread that plays the kernel's timekeeper.
 *
 * The kernel updates its clocks in the tick, at a fixed phase of
 * CLOCK_MONOTONIC. The thread sleeps until shortly before the next tick is due and
 * then watches the kernel's sequence counter. It sleeps on a timer that also
 * expires when somebody sets the clock.
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

/* From waking up to the tick: covers the time that waking up takes. */
#define WATCH_BEFORE_NS		25000
/* How long to wait for a tick that is late; a CPU that sleeps makes none. */
#define WATCH_AFTER_NS		40000
/* Ticks in a row that were missed or did not come before the phase is looked for anew. */
#define LOST_AFTER		50
/* How often to look after the guard. */
#define GUARD_TICKS		25

#define LAG_BUCKETS		4096	/* of 1 us, the last one takes all above */

static u32 lag_bucket[LAG_BUCKETS];

/**
 * struct ticks - where the kernel's ticks are
 * @length:	of one, in ns
 * @phase:	CLOCK_MONOTONIC of one of them
 * @lost:	for how many ticks the phase has been wrong
 * @timer:	what to sleep on
 */
struct ticks {
	s64	length;
	s64	phase;
	int	lost;
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
static void find_phase(struct ticks *ticks, const struct host_clock *host)
{
	s64 now = now_ns(CLOCK_MONOTONIC), unchanged;

	if (watch(host, now + 2 * ticks->length, &unchanged))
		ticks->phase = now_ns(CLOCK_MONOTONIC);
	ticks->lost = 0;
}

/* An update was seen. @unchanged: when it was not there yet, 0: not known; @due: the tick. */
static void learn(struct ticks *ticks, s64 unchanged, s64 due)
{
	s64 now = now_ns(CLOCK_MONOTONIC);

	if (unchanged) {
		ticks->phase = now;
		ticks->lost = 0;
		note_lag(now - unchanged);
	} else {
		/* It came earlier than expected, or we woke up late. */
		ticks->lost++;
		note_lag(now > due ? now - due : now - (due - ticks->length));
	}
}

static void follow_tick(struct run *run, struct ticks *ticks)
{
	s64 due = next_tick(ticks, now_ns(CLOCK_MONOTONIC) + WATCH_BEFORE_NS);
	s64 unchanged;

	if (sleep_until(ticks, due - WATCH_BEFORE_NS)) {
		host_clock_was_set(&run->host);
		publish(run);
		return;
	}
	if (watch(&run->host, due + WATCH_AFTER_NS, &unchanged)) {
		publish(run);
		learn(ticks, unchanged, due);
	} else {
		ticks->lost++;
	}
	if (ticks->lost >= LOST_AFTER)
		find_phase(ticks, &run->host);
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
	find_phase(&ticks, &run->host);
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
