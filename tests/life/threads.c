// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Threads on all CPUs never see time go back, not even against what another
 * thread has seen, while the page is updated as fast as possible, the way to read
 * the counter changes, and the counter comes and goes.
 */
#include <sched.h>
#include <unistd.h>

#include "../lib/tap.h"
#include "life.h"

#define SECONDS		2.0
#define MAX_READERS	8

/* The latest time of each clock that any thread has seen. */
static int64_t latest[LIFE_CLOCKS];
static bool stop;

/* The alarm clocks are not known on every machine. */
static bool known[LIFE_CLOCKS];

struct reader {
	pthread_t	thread;
	unsigned long	readings;
	unsigned long	back;
	int64_t		worst;
};

static void see(int64_t *latest, int64_t now)
{
	int64_t old = __atomic_load_n(latest, __ATOMIC_SEQ_CST);

	while (old < now && !__atomic_compare_exchange_n(latest, &old, now, false,
							 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

/* The reading begins after the load: it must not be earlier than what was loaded. */
static void read_once(struct reader *reader, const struct clock_functions *f, int clock,
		      const int64_t *not_before)
{
	int64_t limit = __atomic_load_n(not_before, __ATOMIC_SEQ_CST);
	int64_t now = image_ns(f, life_clocks[clock].id);

	reader->readings++;
	if (now < limit) {
		reader->back++;
		if (limit - now > reader->worst)
			reader->worst = limit - now;
	}
	see(&latest[clock], now);
}

enum { MONOTONIC = 1, MONOTONIC_COARSE = 8 };	/* where life_clocks[] has them */

static void *read_all(void *arg)
{
	struct reader *reader = arg;
	unsigned int round = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		const struct clock_functions *f = &vdso.clocks[round++ % CLOCK_FUNCTIONS];

		for (int clock = 0; clock < LIFE_CLOCKS; clock++)
			if (known[clock])
				read_once(reader, f, clock, &latest[clock]);
		/* Whoever has seen a coarse time gets no earlier exact one. */
		read_once(reader, f, MONOTONIC, &latest[MONOTONIC_COARSE]);
	}
	return NULL;
}

/* One reader on each CPU, at least two. */
static int count_readers(void)
{
	cpu_set_t allowed;
	int cpus = 1;

	if (!sched_getaffinity(0, sizeof(allowed), &allowed))
		cpus = CPU_COUNT(&allowed);
	return cpus < 2 ? 2 : cpus > MAX_READERS ? MAX_READERS : cpus;
}

static unsigned long run_readers(double seconds, struct reader *sum)
{
	struct reader readers[MAX_READERS] = { 0 };
	int count = count_readers();
	int64_t start = life_now_ns();

	stop = false;
	for (int i = 0; i < count; i++)
		readers[i].thread = life_thread_start(read_all, &readers[i], i);
	life_writer_start(life_update_flipping, 0);
	while (life_seconds_since(start) < seconds)
		usleep(10000);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < count; i++) {
		pthread_join(readers[i].thread, NULL);
		sum->readings += readers[i].readings;
		sum->back += readers[i].back;
		if (readers[i].worst > sum->worst)
			sum->worst = readers[i].worst;
	}
	return life_writer_stop();
}

static void test_all(void)
{
	struct reader sum = { 0 };
	unsigned long updates;

	for (int clock = 0; clock < LIFE_CLOCKS; clock++)
		known[clock] = under_test_serves(life_clocks[clock].id);
	updates = run_readers(SECONDS, &sum);
	ok(updates > 1000 && sum.readings > 1000, "%d threads: %lu readings during %lu updates",
	   count_readers(), sum.readings, updates);
	ok(!sum.back, "%d threads never see time go back", count_readers());
	if (sum.back)
		diag("it went back %lu times, by up to %lld ns", sum.back, (long long)sum.worst);
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
