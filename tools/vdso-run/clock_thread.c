// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The thread that plays the kernel's timekeeper.
 *
 * The kernel updates its clocks in the tick, which is due at a fixed phase of
 * CLOCK_MONOTONIC and comes some time later, as does every timer. The thread wakes up
 * shortly before it comes, most of the time, and watches the kernel's sequence
 * counter. So three things are learned all the while: the phase, by waking up much
 * earlier now and then; how long before or after that to set the timer; and which CPU
 * wakes up at once (one that sleeps does not). The timer also expires when somebody
 * sets the clock.
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
#include "timens.h"

/* How long to watch for a tick that is due; a CPU that sleeps makes none. */
#define WATCH_NS		100000
/* After that, how long until it is looked for again; then twice as long, and so on. */
#define FIRST_PAUSE_NS		40000
/*
 * The timer is set that much later when the update had to be awaited, and earlier when it
 * was there already: for four times in five that it has to be. That costs half a percent of
 * a CPU; without it one update in ten would be 30 us late, as a timer is that comes alone.
 */
#define AFTER_MIN_NS		(-100000)
#define AFTER_MAX_NS		80000
#define LATER_NS		100
#define EARLIER_NS		400
/* Every so many ticks it expires early: did the tick come later than that, as it should? */
#define PROBE_TICKS		64
#define PROBE_EARLY_NS		20000
/* How far the phase moves at a time towards ticks that come later. */
#define DRIFT_NS		50
/* How often to look after the guard, and for a better CPU. */
#define GUARD_TICKS		25
#define CPU_TICKS		16
/* A CPU that wakes up within this time is good enough; more than the last counts as that. */
#define GOOD_WAKE_NS		10000
#define WORST_WAKE_NS		200000

#define LAG_BUCKETS		4096	/* of 1 us, the last one takes all above */

static u32 lag_bucket[LAG_BUCKETS];

/**
 * struct ticks - where the kernel's ticks are
 * @length:	of one, in ns
 * @phase:	when one of them is due, CLOCK_MONOTONIC
 * @after:	how long after that to set the timer to, in ns; before, if negative
 * @early:	how early to wake up next instead, in ns; 0: @after
 * @timer:	what to sleep on
 */
struct ticks {
	s64	length;
	s64	phase;
	s64	after;
	s64	early;
	int	timer;
};

/**
 * struct cpus - where to wake up
 * @allowed:	the thread's CPUs when it began
 * @wake_ns:	how long each takes to wake up, a moving average
 * @current:	where the thread is
 */
struct cpus {
	cpu_set_t	allowed;
	s64		wake_ns[CPU_SETSIZE];
	int		current;
};

static s64 now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* When the first tick after @now is due. */
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
	publish(run);
}

/*
 * The update that was expected at @due came at @seen, and not before @unchanged
 * (0: it was there already). A tick can't be early, so the phase is that of the
 * earliest ones.
 */
static void learn_phase(struct ticks *ticks, s64 due, s64 unchanged, s64 seen)
{
	if (unchanged && seen < due)
		ticks->phase = seen;
	else if (unchanged)
		ticks->phase = due + (seen - due < DRIFT_NS ? seen - due : DRIFT_NS);
	else if (ticks->early)
		ticks->phase = due - ticks->early;
	/* Found too late: look again, still earlier. */
	if (!unchanged && ticks->early)
		ticks->early = ticks->early * 2 % ticks->length;
	else
		ticks->early = 0;
}

/* @awaited: the update was not there when the thread woke up. */
static void learn_after(struct ticks *ticks, bool awaited)
{
	if (ticks->early)
		return;
	ticks->after += awaited ? LATER_NS : -EARLIER_NS;
	if (ticks->after < AFTER_MIN_NS)
		ticks->after = AFTER_MIN_NS;
	if (ticks->after > AFTER_MAX_NS)
		ticks->after = AFTER_MAX_NS;
}

static void move_to(struct cpus *cpus, int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (!sched_setaffinity(0, sizeof(one), &one))
		cpus->current = cpu;
}

/* A CPU that has not been tried for a while is given another chance. */
static void choose_cpu(struct cpus *cpus)
{
	int best = cpus->current;

	if (cpus->wake_ns[best] < GOOD_WAKE_NS)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus->allowed) || cpu == cpus->current)
			continue;
		cpus->wake_ns[cpu] -= cpus->wake_ns[cpu] / 8;
		if (cpus->wake_ns[cpu] < cpus->wake_ns[best])
			best = cpu;
	}
	if (best != cpus->current)
		move_to(cpus, best);
}

static void learn_cpu(struct cpus *cpus, s64 wake_ns)
{
	s64 *average = &cpus->wake_ns[cpus->current];

	if (wake_ns > WORST_WAKE_NS)
		wake_ns = WORST_WAKE_NS;
	*average += (wake_ns - *average) / 8;
}

/* Look again, less and less often, until the next one is due. */
static void await_late_tick(struct run *run, const struct ticks *ticks, s64 due)
{
	s64 unchanged = now_ns(CLOCK_MONOTONIC);

	for (s64 pause = FIRST_PAUSE_NS; unchanged + pause < due + ticks->length; pause *= 2) {
		if (sleep_until(ticks, unchanged + pause))
			host_clock_was_set(&run->host);
		else if (!host_clock_changed(&run->host)) {
			unchanged = now_ns(CLOCK_MONOTONIC);
			continue;
		}
		publish(run);
		note_lag(now_ns(CLOCK_MONOTONIC) - unchanged);
		return;
	}
}

static void follow_tick(struct run *run, struct ticks *ticks, struct cpus *cpus)
{
	s64 after = ticks->early ? -ticks->early : ticks->after;
	s64 due = next_tick(ticks, now_ns(CLOCK_MONOTONIC) + (after < 0 ? -after : 0));
	s64 alarm = due + after;
	s64 unchanged, woken, seen;

	if (sleep_until(ticks, alarm)) {
		host_clock_was_set(&run->host);
		publish(run);
		return;
	}
	woken = now_ns(CLOCK_MONOTONIC);
	learn_cpu(cpus, woken - alarm);
	if (!watch(&run->host, (woken > due ? woken : due) + WATCH_NS, &unchanged)) {
		learn_after(ticks, true);
		ticks->early = 0;
		await_late_tick(run, ticks, due);
		return;
	}
	seen = now_ns(CLOCK_MONOTONIC);
	publish(run);
	/* The update came after @unchanged, or else when it was due at the earliest. */
	note_lag(now_ns(CLOCK_MONOTONIC) - (unchanged ?: due - ticks->early));
	learn_after(ticks, unchanged);
	learn_phase(ticks, due, unchanged, seen);
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
	static struct cpus cpus;
	struct run *run = argument;
	struct ticks ticks = {
		.length = run->host.base.coarse_res,
		.timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC),
	};

	guard_check(run);
	sem_post(&started);
	ask_for_priority();
	sched_getaffinity(0, sizeof(cpus.allowed), &cpus.allowed);
	move_to(&cpus, sched_getcpu());
	find_phase(&ticks, run);
	for (unsigned int tick = 1;; tick++) {
		follow_tick(run, &ticks, &cpus);
		timens_decide(run);
		if (tick % PROBE_TICKS == 0)
			ticks.early = PROBE_EARLY_NS;
		if (tick % CPU_TICKS == 0)
			choose_cpu(&cpus);
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
