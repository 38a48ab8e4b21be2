// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Serving ends and begins while threads read: from the page to the system call
 * and back, and to a page whose records a dead writer left open. Nobody may see
 * time go back, be wrong or wait.
 */
#include <unistd.h>

#include "../lib/tap.h"
#include "life.h"

#define READERS		2
#define SWITCHES	40
#define PAUSE_US	20000

/*
 * A reader that gives up needs some us. Being interrupted may cost a reading any
 * time, but not most of them.
 */
#define SLOW_NS		1000000

struct reader {
	pthread_t	thread;
	int		function;
	unsigned long	readings, back, wrong, slow;
};

static bool stop;

static void read_once(struct reader *reader, int64_t *last)
{
	const struct clock_functions *f = &vdso.clocks[reader->function];
	int64_t before = syscall_ns(f, CLOCK_MONOTONIC);
	int64_t now = image_ns(f, CLOCK_MONOTONIC);
	int64_t after = syscall_ns(f, CLOCK_MONOTONIC);

	reader->readings++;
	reader->wrong += !is_between(CLOCK_MONOTONIC, before, now, after);
	reader->slow += after - before > SLOW_NS;
	for (int i = 0; i < 5; i++) {
		*last = now;
		now = image_ns(f, CLOCK_MONOTONIC);
		/* Between a line that was measured and the system call there is some slack. */
		reader->back += !is_between(CLOCK_MONOTONIC, *last, now,
					    INT64_MAX - MEASURED_SLACK_NS);
	}
}

static void *read_all(void *arg)
{
	struct reader *reader = arg;
	int64_t last = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		read_once(reader, &last);
	return NULL;
}

/* As a writer that is killed between opening a record and closing it, in all records. */
static void leave_open(void)
{
	for (int id = 0; id < VDSO_CLOCKS; id++)
		vdso.page->clock[id].seq |= 1;
}

static void stop_serving(void)
{
	vdso_stop(vdso.page);
}

static void run(const char *what, void (*end)(void))
{
	struct reader readers[READERS] = { 0 };

	stop = false;
	for (int i = 0; i < READERS; i++) {
		readers[i].function = i % CLOCK_FUNCTIONS;
		readers[i].thread = life_thread_start(read_all, &readers[i], i);
	}
	for (int i = 0; i < SWITCHES; i++) {
		i % 2 ? under_test_update() : end();
		usleep(PAUSE_US);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < READERS; i++) {
		struct reader *r = &readers[i];

		pthread_join(r->thread, NULL);
		ok(r->readings && !r->back && !r->wrong && r->slow * 100 <= r->readings,
		   "%s, %s: %lu readings", what, vdso.clocks[r->function].gettime_name, r->readings);
		if (r->back || r->wrong || r->slow)
			diag("%lu went back, %lu not between two system calls, %lu took over %d us",
			     r->back, r->wrong, r->slow, SLOW_NS / 1000);
	}
}

static void test_all(void)
{
	run("serving ends and begins again", stop_serving);
	run("records stay open and are closed again", leave_open);
	alarm(20);	/* a reader that waits for the writer would wait for ever */
	leave_open();
	ok(life_between(&vdso.clocks[0], CLOCK_MONOTONIC), "nobody waits for a dead writer");
	alarm(0);
	stop_serving();
	ok(life_between(&vdso.clocks[0], CLOCK_MONOTONIC) && !(vdso.page->clock[1].seq & 1),
	   "vdso_stop() ends serving from records that were left open");
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
