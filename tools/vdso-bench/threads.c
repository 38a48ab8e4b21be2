// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Several threads: readers at the same time, and readers while the page is updated.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* Starting threads together costs some 50 us, so the batches are longer than that. */
#define BATCH_NS	500000
/* Longer than the time between two updates: each batch has one. */
#define UPDATED_NS	1100000
#define UPDATE_PERIOD_NS	1000000
/* A batch is worth many of the hot scenario's. */
#define THREADS_ROUNDS(rounds)	((rounds) / 20 + 1)
#define UPDATED_ROUNDS(rounds)	((rounds) / 10 + 1)

/* Which calls of a subject to measure at the same time everywhere. */
struct crowd {
	const struct bench		*bench;
	const struct bench_subject	*subject;
	struct bench_samples		samples;
	unsigned int			threads;
	unsigned int			rounds;
	unsigned int			size[BENCH_VARIANTS];
	pthread_barrier_t		barrier;
};

struct member {
	struct crowd	*crowd;
	unsigned int	index;
	pthread_t	thread;
};

static unsigned int batch_size(const struct bench *bench, const struct bench_call *call,
			       double ns)
{
	bench_batch(call, 100);
	return (unsigned int)(ns * 100 / (bench_batch(call, 100) * bench->ns_per_cycle)) + 1;
}

static float time_batch(const struct bench *bench, const struct bench_call *call,
			unsigned int size)
{
	return (float)(bench_batch(call, size) * bench->ns_per_cycle / size);
}

static void *member_run(void *arg)
{
	const struct member *member = arg;
	struct crowd *crowd = member->crowd;

	bench_pin(crowd->bench, member->index);
	for (unsigned int round = 0; round < crowd->rounds; round++)
		for (int v = BENCH_OURS; v <= BENCH_HOST; v++) {
			float *to = crowd->samples.ns[v];

			pthread_barrier_wait(&crowd->barrier);
			to[round * crowd->threads + member->index] =
				time_batch(crowd->bench, &crowd->subject->call[v], crowd->size[v]);
		}
	return NULL;
}

static void crowd_run(struct crowd *crowd)
{
	struct member *members = calloc(crowd->threads, sizeof(*members));

	if (!members || pthread_barrier_init(&crowd->barrier, NULL, crowd->threads))
		bench_die(1, "not enough memory for %u threads", crowd->threads);
	for (unsigned int i = 0; i < crowd->threads; i++) {
		members[i] = (struct member){ .crowd = crowd, .index = i };
		if (pthread_create(&members[i].thread, NULL, member_run, &members[i]))
			bench_die(1, "can't start thread %u of %u: take fewer (--threads)",
				  i + 1, crowd->threads);
	}
	for (unsigned int i = 0; i < crowd->threads; i++)
		pthread_join(members[i].thread, NULL);
	pthread_barrier_destroy(&crowd->barrier);
	free(members);
}

static bool suitable(const struct bench_subject *subject)
{
	return subject->reads_time && subject->call[BENCH_HOST].fn;
}

void bench_threads(struct bench *bench)
{
	unsigned int threads = bench->options.threads ? bench->options.threads : bench->cpu_count;

	for (unsigned int i = 0; i < bench->subject_count; i++) {
		struct crowd crowd = {
			.bench = bench, .subject = &bench->subjects[i], .threads = threads,
			.rounds = THREADS_ROUNDS(bench->options.rounds),
		};

		bench_progress("threads", i, bench->subject_count);
		if (!suitable(crowd.subject))
			continue;
		bench_refresh(bench);
		for (int v = BENCH_OURS; v <= BENCH_HOST; v++)
			crowd.size[v] = batch_size(bench, &crowd.subject->call[v], BATCH_NS);
		bench_samples_init(&crowd.samples, crowd.rounds * threads,
				   1u << BENCH_OURS | 1u << BENCH_HOST);
		crowd_run(&crowd);
		bench_add_row(bench, BENCH_THREADS, crowd.subject, NULL, &crowd.samples);
		bench_samples_free(&crowd.samples);
	}
}

/* The thread that updates the page every millisecond while @on. */
struct updater {
	struct bench	*bench;
	atomic_bool	on;
	atomic_bool	stop;
	pthread_t	thread;
};

static void *updater_run(void *arg)
{
	struct updater *updater = arg;
	struct timespec next;

	/* The benchmark runs on the first CPU; with one CPU only they take turns. */
	bench_pin(updater->bench, 1);
	clock_gettime(CLOCK_MONOTONIC, &next);
	while (!atomic_load(&updater->stop)) {
		next.tv_nsec += UPDATE_PERIOD_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == EINTR)
			;
		if (atomic_load(&updater->on))
			bench_refresh(updater->bench);
	}
	return NULL;
}

static void updated_subject(struct updater *updater, const struct bench_subject *subject)
{
	struct bench *bench = updater->bench;
	const struct bench_call *ours = &subject->call[BENCH_OURS];
	const struct bench_call *host = &subject->call[BENCH_HOST];
	unsigned int our_size = batch_size(bench, ours, UPDATED_NS);
	unsigned int host_size = batch_size(bench, host, UPDATED_NS);
	struct bench_samples samples;

	bench_samples_init(&samples, UPDATED_ROUNDS(bench->options.rounds),
			   1u << BENCH_OURS | 1u << BENCH_HOST | 1u << BENCH_QUIET);
	for (unsigned int round = 0; round < samples.rounds; round++) {
		bench_refresh(bench);
		samples.ns[BENCH_QUIET][round] = time_batch(bench, ours, our_size);
		atomic_store(&updater->on, true);
		samples.ns[BENCH_OURS][round] = time_batch(bench, ours, our_size);
		samples.ns[BENCH_HOST][round] = time_batch(bench, host, host_size);
		atomic_store(&updater->on, false);
	}
	bench_add_row(bench, BENCH_UPDATED, subject, NULL, &samples);
	bench_samples_free(&samples);
}

void bench_updated(struct bench *bench)
{
	struct updater updater = { .bench = bench };

	if (pthread_create(&updater.thread, NULL, updater_run, &updater))
		bench_die(1, "can't start the thread that updates the page");
	for (unsigned int i = 0; i < bench->subject_count; i++) {
		bench_progress("updated", i, bench->subject_count);
		if (suitable(&bench->subjects[i]))
			updated_subject(&updater, &bench->subjects[i]);
	}
	atomic_store(&updater.stop, true);
	pthread_join(updater.thread, NULL);
}
