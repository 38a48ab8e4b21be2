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

#define SECONDS		1.5
/* On a slow machine until there are so many readings, and updates; but not forever. */
#define ENOUGH		1000
#define PATIENCE	60
#define MAX_READERS	8
#define ALL_CLOCKS	32	/* more than the highest id of life_clocks[] */
#define APART_SEC	3600

/* By clock id: the latest time that any thread has seen. */
static int64_t latest[ALL_CLOCKS];
static bool stop;

/*
 * The coarse clocks' times that the writer is about to store. Where a reader has
 * given the writer up and made the system call, a coarse clock can be a tick
 * ahead of the page: readings that are later than this are left out.
 */
static int64_t announced[ALL_CLOCKS];

/*
 * A reader that finds a record open again and again, because the writer lost its CPU in
 * the middle, makes the system call: its time is near a line that was measured, not on
 * it. So such a line is moved away from the system calls, that they can be told apart.
 */
static bool apart;

struct reader {
	pthread_t	thread;
	void		(*read)(struct reader *reader, const struct clock_functions *f);
	unsigned long	readings, back, gave_up;
	int64_t		worst;
};

static void see(clockid_t id, int64_t now)
{
	int64_t old = __atomic_load_n(&latest[id], __ATOMIC_SEQ_CST);

	while (old < now && !__atomic_compare_exchange_n(&latest[id], &old, now, false,
							 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

/* Whether @now is the system call's, not that of a line that is apart from it. */
static bool is_syscall(const struct clock_functions *f, clockid_t id, int64_t now)
{
	int64_t late = syscall_ns(f, id) - now;

	return late >= 0 && late < (int64_t)NSEC_PER_SEC;
}

/* Reads @id, which must not be earlier than what anybody has seen of @other before. */
static int64_t read_clock(struct reader *reader, const struct clock_functions *f, clockid_t id,
			  clockid_t other)
{
	int64_t limit = __atomic_load_n(&latest[other], __ATOMIC_SEQ_CST);
	int64_t now = image_ns(f, id);

	reader->readings++;
	if (now < limit && apart && is_syscall(f, id, now)) {
		reader->gave_up++;
	} else if (now < limit) {
		reader->back++;
		if (limit - now > reader->worst)
			reader->worst = limit - now;
	}
	return now;
}

static void read_counter_clocks(struct reader *reader, const struct clock_functions *f)
{
	for (int clock = 0; clock < LIFE_CLOCKS; clock++) {
		clockid_t id = life_clocks[clock].id;

		if (!life_clocks[clock].coarse && latest[id])
			see(id, read_clock(reader, f, id, id));
	}
}

static void read_coarse(struct reader *reader, const struct clock_functions *f, clockid_t id)
{
	int64_t newest = __atomic_load_n(&announced[id], __ATOMIC_SEQ_CST);
	int64_t now = read_clock(reader, f, id, id);

	if (now <= newest)
		see(id, now);
}

/* And whoever has seen a coarse time gets no earlier exact one. */
static void read_coarse_clocks(struct reader *reader, const struct clock_functions *f)
{
	read_coarse(reader, f, CLOCK_REALTIME_COARSE);
	read_clock(reader, f, CLOCK_REALTIME, CLOCK_REALTIME_COARSE);
	read_coarse(reader, f, CLOCK_MONOTONIC_COARSE);
	read_clock(reader, f, CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE);
}

static void update_announced(void)
{
	const struct vdso_timekeeper *tk = &vdso.tk;
	int64_t real;

	host_clock_snapshot(&vdso.host, &vdso.tk);
	real = tk->real.sec * NSEC_PER_SEC + (int64_t)(tk->real.nsec >> tk->real.shift);
	__atomic_store_n(&announced[CLOCK_REALTIME_COARSE], real, __ATOMIC_SEQ_CST);
	real += tk->wall_to_monotonic.sec * NSEC_PER_SEC + tk->wall_to_monotonic.nsec;
	__atomic_store_n(&announced[CLOCK_MONOTONIC_COARSE], real, __ATOMIC_SEQ_CST);
	vdso_update(vdso.page, tk);
}

static void *read_all(void *arg)
{
	struct reader *reader = arg;
	unsigned int round = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		reader->read(reader, &vdso.clocks[round++ % CLOCK_FUNCTIONS]);
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

static unsigned long count_readings(struct reader *readers, int count)
{
	unsigned long sum = 0;

	for (int i = 0; i < count; i++)
		sum += __atomic_load_n(&readers[i].readings, __ATOMIC_RELAXED);
	return sum;
}

static void join_readers(struct reader *readers, int count, struct reader *sum)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < count; i++) {
		pthread_join(readers[i].thread, NULL);
		sum->readings += readers[i].readings;
		sum->back += readers[i].back;
		sum->gave_up += readers[i].gave_up;
		if (readers[i].worst > sum->worst)
			sum->worst = readers[i].worst;
	}
}

static void run(const char *what, void (*read)(struct reader *, const struct clock_functions *),
		void (*update)(void))
{
	struct reader readers[MAX_READERS] = { 0 }, sum = { 0 };
	int count = count_readers();
	int64_t start = life_now_ns();
	unsigned long updates;

	stop = false;
	for (int i = 0; i < count; i++) {
		readers[i].read = read;
		readers[i].thread = life_thread_start(read_all, &readers[i], i);
	}
	life_writer_start(update, 0);
	do
		usleep(10000);
	while (life_seconds_since(start) < life_seconds(SECONDS) ||
	       (life_seconds_since(start) < PATIENCE &&
		(life_writer_updates() < ENOUGH || count_readings(readers, count) < ENOUGH)));
	join_readers(readers, count, &sum);
	updates = life_writer_stop();
	sum.readings -= sum.gave_up;
	ok(updates >= ENOUGH && sum.readings >= ENOUGH, "%s: %lu readings by %d threads, %lu updates",
	   what, sum.readings, count, updates);
	if (sum.gave_up)
		diag("and %lu system calls by readers who gave the writer up", sum.gave_up);
	ok(!sum.back, "%s: no thread sees time go back", what);
	if (sum.back)
		diag("it went back %lu times, by up to %lld ns", sum.back, (long long)sum.worst);
}

static void move_apart(void)
{
	apart = !vdso.host.vvar;
	if (!apart)
		return;
	vdso.tk.real.sec += APART_SEC;
	vdso.tk.raw.sec += APART_SEC;
	vdso_update(vdso.page, &vdso.tk);
}

static void test_all(void)
{
	/* The alarm clocks are not known on every machine. */
	for (int clock = 0; clock < LIFE_CLOCKS; clock++)
		if (under_test_serves(life_clocks[clock].id))
			latest[life_clocks[clock].id] = 1;
	if (vdso.tk.real.mode == VDSO_MODE_SYSCALL)
		tap_skip("counter clocks", "no counter that programs can read here");
	else {
		move_apart();
		run("counter clocks", read_counter_clocks, life_update_flipping);
	}
	apart = false;
	under_test_update();
	run("coarse clocks", read_coarse_clocks, update_announced);
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
