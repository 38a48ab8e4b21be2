// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The vDSO's time is the kernel's: each reading lies between two system calls. And no
 * time goes back, in a thread or from one CPU's thread to another's, whether they read
 * it through the vDSO or by system call.
 */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../lib/tap.h"
#include "guest.h"

#define MAX_CPUS	8
#define MAX_ID		32

static void test_between(const struct clock_pair *pair, double seconds)
{
	for (int i = 0; i < GUEST_CLOCKS; i++) {
		const struct guest_clock *clock = &guest_clocks[i];
		double end = now_seconds() + seconds;
		unsigned long readings = 0, wrong = 0;

		if (!has_clock(clock)) {
			ok(vdso_ns(pair, clock->id) == INT64_MIN, "%s(%s): no such clock, as the kernel says",
			   pair->gettime_name, clock->name);
			continue;
		}
		while (now_seconds() < end && wrong < 10)
			for (int n = 0; n < 50; n++, readings++)
				wrong += !between(pair, clock);
		ok(readings && !wrong, "%s(%s): %lu readings, each between two system calls",
		   pair->gettime_name, clock->name, readings);
	}
}

/* By clock id: the latest time that any thread has seen. */
static int64_t latest[MAX_ID];
static bool stop;

struct reader {
	pthread_t	thread;
	int		number;
	unsigned long	readings, back;
	int64_t		worst;
};

static void see(clockid_t id, int64_t now)
{
	int64_t old = __atomic_load_n(&latest[id], __ATOMIC_SEQ_CST);

	while (old < now && !__atomic_compare_exchange_n(&latest[id], &old, now, false,
							 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

/* A reading of @id that must not be before what anybody has seen of @other. */
static void read_clock(struct reader *reader, clockid_t id, clockid_t other)
{
	const struct clock_pair *pair = &vdso.pairs[reader->readings % CLOCK_PAIRS];
	int64_t limit = __atomic_load_n(&latest[other], __ATOMIC_SEQ_CST);
	int64_t now = reader->readings % 16 ? vdso_ns(pair, id) : syscall_ns(pair, id);

	reader->readings++;
	if (now < limit) {
		reader->back++;
		if (limit - now > reader->worst)
			reader->worst = limit - now;
	}
	see(id, now);
}

/* Whoever has seen a coarse time gets no earlier exact one. */
static void *read_all(void *arg)
{
	struct reader *reader = arg;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((unsigned int)reader->number, &one);
	sched_setaffinity(0, sizeof(one), &one);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (int i = 0; i < GUEST_CLOCKS; i++)
			if (!guest_clocks[i].alarm)
				read_clock(reader, guest_clocks[i].id, guest_clocks[i].id);
		read_clock(reader, CLOCK_REALTIME, CLOCK_REALTIME_COARSE);
		read_clock(reader, CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE);
	}
	return NULL;
}

static void test_threads(double seconds)
{
	int count = (int)sysconf(_SC_NPROCESSORS_ONLN);
	struct reader readers[MAX_CPUS] = { 0 }, sum = { 0 };

	if (count > MAX_CPUS)
		count = MAX_CPUS;
	for (int i = 0; i < count; i++) {
		readers[i].number = i;
		if (pthread_create(&readers[i].thread, NULL, read_all, &readers[i])) {
			ok(false, "%d threads", count);
			exit(EXIT_FAILURE);
		}
	}
	usleep((useconds_t)(seconds * 1e6));
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < count; i++) {
		pthread_join(readers[i].thread, NULL);
		sum.readings += readers[i].readings;
		sum.back += readers[i].back;
		if (readers[i].worst > sum.worst)
			sum.worst = readers[i].worst;
	}
	ok(sum.readings > 100 && !sum.back, "%lu readings by threads on %d CPUs: no time goes back",
	   sum.readings, count);
	if (sum.back)
		diag("it went back %lu times, by up to %lld ns", sum.back, (long long)sum.worst);
}

int main(int argc, char **argv)
{
	guest_open(argc, argv);
	if (!vdso.base || !vdso.pairs[0].gettime || !vdso.pairs[CLOCK_PAIRS - 1].gettime) {
		printf("1..0 # SKIP this kernel's vDSO has no clock_gettime for this ABI\n");
		return machine.uvdso;
	}
	for (int i = 0; i < CLOCK_PAIRS; i++)
		test_between(&vdso.pairs[i], machine.seconds / GUEST_CLOCKS);
	test_threads(machine.seconds);
	return tap_done();
}
