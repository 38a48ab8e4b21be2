// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The functions that take a clock id, against the system calls: every kind of id
 * with every kind of pointer, gettime and getres, old and new struct timespec.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/tap.h"
#include "places.h"

#define MAX_IDS		256

static clockid_t ids[MAX_IDS];
static int id_count;

static void add_id(clockid_t id)
{
	if (id_count < MAX_IDS)
		ids[id_count++] = id;
}

/* The id of a CPU-time or device clock: type and two flags in the low bits, then ~number. */
#define CLOCK_TYPE_FD		3
#define CLOCK_PER_THREAD	4

static clockid_t dynamic_clock(int number, int type)
{
	return (clockid_t)(~(unsigned int)number << 3 | (unsigned int)type);
}

/* A process that is gone, and whose number stays unused for a while. */
static pid_t dead_pid(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return child;
}

static void add_dynamic_clocks(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int numbers[] = { getpid(), gettid(), getppid(), dead_pid(), null, null + 100, 0 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		for (int type = 0; type < 8; type++)
			add_id(dynamic_clock(numbers[i], type));
}

/* Ids that look like a good one to code that keeps too few bits of them. */
static void add_aliases(void)
{
	for (unsigned int bit = 5; bit < 32; bit++) {
		add_id((clockid_t)(1u << bit));
		add_id((clockid_t)(1u << bit | CLOCK_MONOTONIC));
	}
}

static void make_ids(void)
{
	for (clockid_t id = -40; id < 32; id++)
		add_id(id);
	add_aliases();
	add_dynamic_clocks();
	add_id(INT_MIN);
	add_id(INT_MIN + 1);
	add_id(INT_MAX);
	add_id(INT_MAX - 1);
}

/* The system call that the image's function stands for; x32 images: where it falls back. */
static long expected(long nr, clockid_t id, const char *at)
{
	if (under_test_serves(id))
		return raw_syscall(nr, id, (long)at, 0);
	return abi_syscall(nr, id, (long)at, 0);
}

static struct outcome call(int (*f)(clockid_t, void *), clockid_t id, const char *at)
{
	struct outcome outcome = guarded_call(as_any(f), id, (long)at, 0);

	outcome.ret = (int)outcome.ret;
	return outcome;
}

static bool same_result(const char *name, int (*f)(clockid_t, void *), long nr, clockid_t id,
			const struct place *place)
{
	struct outcome outcome = call(f, id, place->at);
	long wanted = expected(nr, id, place->at);

	if (outcome_agrees(outcome, wanted) || (outcome.fault && place->may_fault))
		return true;
	/* A bad pointer may make the function fall back, whatever is served. */
	if (!place->good && outcome_agrees(outcome, abi_syscall(nr, id, (long)place->at, 0)))
		return true;
	diag("%s(%d, %p): %s%ld, the system call returns %ld", name, id, (void *)place->at,
	     outcome.fault ? "fault, not " : "", outcome.ret, wanted);
	return false;
}

/* All ids with one kind of pointer. */
static void test_results(const char *name, int (*f)(clockid_t, void *), long nr,
			 const struct place *place)
{
	int wrong = 0;

	for (int i = 0; i < id_count; i++)
		wrong += !same_result(name, f, nr, ids[i], place);
	ok(!wrong, "%s: %d ids, into %s: the system call's results", name, id_count, place->name);
}

/* Whether the call wrote exactly a timespec, and only if it succeeded. */
static bool writes_cleanly(const struct clock_functions *f, int (*function)(clockid_t, void *),
			   clockid_t id, const struct place *place)
{
	size_t size = timespec_size(f);
	int64_t ns;
	bool failed;

	place_clear(place);
	failed = function(id, place->at);
	if (failed)
		return place_is_untouched(place, 0, 32);
	memcpy(&ns, place->at + size / 2, sizeof(ns));
	if (f->narrow)
		ns = (int32_t)ns;
	return ns >= 0 && ns < NSEC_PER_SEC && place_is_untouched(place, size, 32);
}

static void test_writes(const struct clock_functions *f, const char *name,
			int (*function)(clockid_t, void *))
{
	const struct place *place = &places(timespec_size(f))[PLACES - 1];
	int wrong = 0;

	for (int i = 0; i < id_count; i++) {
		if (writes_cleanly(f, function, ids[i], place))
			continue;
		diag("%s(%d) wrote what it should not", name, ids[i]);
		wrong++;
	}
	ok(!wrong, "%s: %d ids: writes a whole timespec or nothing, and 0 <= nsec < 10^9",
	   name, id_count);
}

static bool same_resolution(const struct clock_functions *f, clockid_t id)
{
	struct timespec_buffer image, kernel;

	if (expected(f->getres_nr, id, (char *)&kernel))
		return true;	/* test_results() compares errors */
	if (!f->getres(id, &image) && timespec_ns(f, &image) == timespec_ns(f, &kernel))
		return true;
	diag("%s(%d): %lld ns, the system call says %lld ns", f->getres_name, id,
	     (long long)timespec_ns(f, &image), (long long)timespec_ns(f, &kernel));
	return false;
}

static void test_resolutions(const struct clock_functions *f)
{
	int wrong = 0;

	for (int i = 0; i < id_count; i++)
		wrong += !same_resolution(f, ids[i]);
	ok(!wrong, "%s: the system call's resolutions", f->getres_name);
}

/*
 * The page is brought up to date in between: then even a coarse clock must be
 * exactly where the kernel has it.
 */
static bool time_is_right(const struct clock_functions *f, clockid_t id)
{
	int64_t before = syscall_ns(f, id), now, after;

	under_test_update();
	now = image_ns(f, id);
	after = syscall_ns(f, id);
	if (is_between(id, before, now, after))
		return true;
	diag("%s(%d): %lld ns, not between %lld and %lld", f->gettime_name, id,
	     (long long)now, (long long)before, (long long)after);
	return false;
}

static void test_times(const struct clock_functions *f)
{
	int wrong = 0, compared = 0;

	for (int i = 0; i < id_count; i++) {
		if (vdso.x32 && !under_test_serves(ids[i]))
			continue;
		if (syscall_ns(f, ids[i]) == INT64_MIN)
			continue;
		wrong += !time_is_right(f, ids[i]);
		compared++;
	}
	ok(compared >= 7 && !wrong, "%s: %d clocks tell the system call's time",
	   f->gettime_name, compared);
}

/* In vDSOs the result is the error; errno is the C library's. */
static void test_errno(const struct clock_functions *f)
{
	struct timespec_buffer ts;
	bool untouched;

	errno = EXDEV;
	f->gettime(CLOCK_MONOTONIC, &ts);
	untouched = f->gettime(INT_MAX, &ts) < 0 && errno == EXDEV;
	f->getres(CLOCK_MONOTONIC, &ts);
	untouched &= f->getres(INT_MAX, &ts) < 0 && errno == EXDEV;
	ok(untouched, "%s, %s: errno stays as it is", f->gettime_name, f->getres_name);
}

static void test_functions(const struct clock_functions *f)
{
	const struct place *place = places(timespec_size(f));

	for (int i = 0; i < PLACES; i++) {
		test_results(f->gettime_name, f->gettime, f->gettime_nr, &place[i]);
		test_results(f->getres_name, f->getres, f->getres_nr, &place[i]);
	}
	test_writes(f, f->gettime_name, f->gettime);
	test_writes(f, f->getres_name, f->getres);
	test_resolutions(f);
	test_times(f);
	test_errno(f);
}

/* The same once more while the page serves nothing: all must come from the system call. */
static void test_unserved(const struct clock_functions *f)
{
	const struct place *place = places(timespec_size(f));

	vdso_stop(vdso.page);
	for (int i = 0; i < PLACES; i++)
		test_results(f->gettime_name, f->gettime, f->gettime_nr, &place[i]);
	test_writes(f, f->gettime_name, f->gettime);
	under_test_update();
}

static void test_all(void)
{
	make_ids();
	for (int i = 0; i < CLOCK_FUNCTIONS; i++)
		test_functions(&vdso.clocks[i]);
	diag("and with a page that serves no clock:");
	for (int i = 0; i < CLOCK_FUNCTIONS; i++)
		test_unserved(&vdso.clocks[i]);
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
