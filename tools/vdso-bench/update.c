// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The writer's side: what one update of the page costs, and how long a record
 * stays open meanwhile.
 *
 * How long is asked in two ways, because measuring inside of the update would
 * change it. A reader on another CPU watches the sequence counter of one record:
 * it sees what readers see, including the time that the cache line takes to
 * travel to it and back, which makes the window longer than it is without
 * readers. And an update has one window for each record, one after the other, so
 * the mean window without readers is below the cost of an update divided by the
 * number of records.
 */
#include <pthread.h>
#include <stdatomic.h>

#include <linux/counter_calibration.h>
#include <vdso/seq.h>

#include "bench.h"

#define UPDATES_PER_SAMPLE	64
/* Records that a tick writes: five on the counter, two coarse ones, perhaps the ALARM clocks. */
#define RECORDS			7
#define WATCHED			CLOCK_MONOTONIC
/* A window is short: the watching reader comes upon it in few of the updates. */
#define UPDATES_PER_WINDOW	1000
#define MAX_WINDOWS		1000

static void update_cost(struct bench *bench)
{
	struct bench_samples samples, per_record;

	bench_samples_init(&samples, bench->options.rounds, 1u << BENCH_OURS);
	bench_samples_init(&per_record, bench->options.rounds, 1u << BENCH_OURS);
	for (unsigned int round = 0; round < samples.rounds; round++) {
		uint64_t cycles = counter_read_ordered();

		for (int i = 0; i < UPDATES_PER_SAMPLE; i++)
			vdso_update(bench->plain.pages, &bench->tk);
		cycles = counter_read_ordered() - cycles;
		samples.ns[BENCH_OURS][round] =
			(float)(cycles * bench->ns_per_cycle / UPDATES_PER_SAMPLE);
		per_record.ns[BENCH_OURS][round] = samples.ns[BENCH_OURS][round] / RECORDS;
	}
	bench_add_row(bench, BENCH_PAGE, NULL, "vdso_update(), all records", &samples);
	bench_add_row(bench, BENCH_PAGE, NULL, "open window, no readers: at most", &per_record);
	bench_samples_free(&samples);
	bench_samples_free(&per_record);
}

/* The watching reader's state. */
struct watcher {
	const struct bench	*bench;
	const struct vdso_clock	*clock;
	float			*window;
	unsigned int		wanted;
	unsigned int		seen;
	atomic_bool		ready;
	atomic_bool		done;
	pthread_t		thread;
};

/*
 * The counter reads on both sides lie after a load that saw the record closed or
 * open, so a window is measured from the first sight of an odd number to the
 * first sight of another one.
 */
static void *watcher_run(void *arg)
{
	struct watcher *watcher = arg;
	const struct vdso_clock *c = watcher->clock;

	bench_pin(watcher->bench, 1);
	atomic_store(&watcher->ready, true);
	while (watcher->seen < watcher->wanted && !atomic_load(&watcher->done)) {
		u32 seq = READ_ONCE(c->seq);
		uint64_t open;

		if (!(seq & 1))
			continue;
		open = counter_read();
		while (READ_ONCE(c->seq) == seq)
			;
		watcher->window[watcher->seen++] =
			(float)((counter_read() - open) * watcher->bench->ns_per_cycle);
	}
	atomic_store(&watcher->done, true);
	return NULL;
}

/*
 * Updates until the reader has seen enough windows, or as often as that should take.
 * Returns how many updates there were.
 */
static unsigned int update_while_watched(struct bench *bench, struct watcher *watcher)
{
	unsigned int updates = 0;

	while (!atomic_load(&watcher->ready))
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	while (updates < watcher->wanted * UPDATES_PER_WINDOW && !atomic_load(&watcher->done)) {
		vdso_update(bench->plain.pages, &bench->tk);
		updates++;
	}
	atomic_store(&watcher->done, true);
	return updates;
}

static void open_window(struct bench *bench)
{
	struct bench_samples samples;
	struct bench_row *row;
	unsigned int updates;
	struct watcher watcher = {
		.bench = bench, .clock = &bench->plain.pages->clock[WATCHED],
		.wanted = bench->options.rounds < MAX_WINDOWS ? bench->options.rounds : MAX_WINDOWS,
	};

	bench_samples_init(&samples, watcher.wanted, 1u << BENCH_OURS);
	watcher.window = samples.ns[BENCH_OURS];
	if (pthread_create(&watcher.thread, NULL, watcher_run, &watcher))
		bench_die(1, "can't start the thread that watches the page");
	updates = update_while_watched(bench, &watcher);
	pthread_join(watcher.thread, NULL);
	samples.rounds = watcher.seen;
	row = bench_add_row(bench, BENCH_PAGE, NULL, "open window, seen by a reader on another CPU",
			    &samples);
	snprintf(row->note, sizeof(row->note), "seen in %u of %u updates", watcher.seen, updates);
	bench_samples_free(&samples);
}

void bench_page(struct bench *bench)
{
	bench_refresh(bench);
	update_cost(bench);
	if (bench->cpu_count > 1)
		open_window(bench);
	else
		fprintf(stderr, "vdso-bench: the open window was not watched: it takes a second CPU\n");
}
