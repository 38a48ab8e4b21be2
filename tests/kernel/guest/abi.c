// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Every function of the vDSO that the kernel mapped, against the system call that it
 * stands for: every kind of clock id, every kind of pointer, results, errors, and that
 * nothing but the result is written.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/tap.h"
#include "guest.h"

#define MAX_IDS		256
#define UNTOUCHED	0xa5	/* what no clock leaves in all bytes */
#define MAX_REMARKS	5	/* of one kind */

static clockid_t ids[MAX_IDS];
static int id_count;

/**
 * struct place - where a result is to be put
 * @name:	for people
 * @at:		the address
 * @good:	it can be written to, aligned or not
 */
struct place {
	const char	*name;
	char		*at;
	bool		good;
};

#define PLACES	9
static struct place places[PLACES];
#define GOOD_PLACE	(&places[PLACES - 1])

static void add_id(clockid_t id)
{
	if (id_count < MAX_IDS)
		ids[id_count++] = id;
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

/* Clocks of processes, threads and devices: ~number, then three bits of what kind. */
static void add_dynamic_ids(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int numbers[] = { getpid(), gettid(), getppid(), dead_pid(), null, null + 100, 0 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		for (unsigned int type = 0; type < 8; type++)
			add_id((clockid_t)(~(unsigned int)numbers[i] << 3 | type));
}

/* Also those that look like a good one to code that keeps too few bits. */
static void make_ids(void)
{
	for (clockid_t id = -40; id < 32; id++)
		add_id(id);
	for (unsigned int bit = 5; bit < 32; bit++) {
		add_id((clockid_t)(1u << bit));
		add_id((clockid_t)(1u << bit | CLOCK_MONOTONIC));
	}
	add_id(INT_MIN);
	add_id(INT_MAX);
	add_dynamic_ids();
}

/* One page that can be written, then one that can only be read, then nothing. */
static bool make_places(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, 5 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	unsigned long end = -32ul;

	if (area == MAP_FAILED || mprotect(area, page, PROT_NONE) ||
	    mprotect(area + 3 * page, page, PROT_READ) || munmap(area + 4 * page, page))
		return false;
	memcpy(places, (struct place[PLACES]){
		{ "NULL", NULL, false },
		{ "unmapped memory", area + 4 * page + 64, false },
		{ "memory without access", area + 64, false },
		{ "read-only memory", area + 3 * page + 64, false },
		{ "the end of writable memory", area + 3 * page - 4, false },
		{ "the end of the address space", (char *)end, false },
		{ "memory that crosses a page", area + 2 * page - 4, true },
		{ "misaligned memory", area + page + 65, true },
		{ "memory", area + page + 128, true },
	}, sizeof(places));
	return true;
}

static sigjmp_buf before_call;

static void on_fault(int signal)
{
	siglongjmp(before_call, signal);
}

/* Three arguments: on the ABIs here, a function that takes fewer ignores the rest. */
typedef long (*any_function)(long, long, long);
#define as_any(f)	((any_function)(void *)(f))

/* What a function returns; -EFAULT also if it faults, as the kernel's own vDSOs do. */
static long guarded_call(any_function f, long a, long b)
{
	long ret = -EFAULT;

	if (!sigsetjmp(before_call, 1))
		ret = (int)f(a, b, 0);
	return ret;
}

static void catch_faults(void)
{
	const struct sigaction jump = { .sa_handler = on_fault };

	sigaction(SIGSEGV, &jump, NULL);
	sigaction(SIGBUS, &jump, NULL);
}

/* A pair of registers is stored to aligned addresses only: ARM ARM, "Alignment support". */
static bool may_fault(const struct place *place)
{
#ifdef __arm__
	const bool faults = true;
#else
	const bool faults = false;
#endif
	return faults && (uintptr_t)place->at & 3;
}

static void test_results(const char *name, int (*f)(clockid_t, void *), long nr,
			 const struct place *place)
{
	int wrong = 0;

	for (int i = 0; i < id_count; i++) {
		long result = guarded_call(as_any(f), ids[i], (long)place->at);
		long wanted = raw_syscall(nr, ids[i], (long)place->at, 0);

		if (result == wanted || (result == -EFAULT && may_fault(place)))
			continue;
		if (wrong++ < MAX_REMARKS)
			diag("%s(%d, %s): %ld, the system call returns %ld", name, ids[i],
			     place->name, result, wanted);
	}
	ok(!wrong, "%s: %d ids, into %s: the system call's results", name, id_count, place->name);
}

static bool is_untouched(const char *at, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if ((unsigned char)at[i] != UNTOUCHED)
			return false;
	return true;
}

/* A whole struct timespec if the call succeeds, and nothing if it does not. */
static bool writes_cleanly(const struct clock_pair *pair, int (*f)(clockid_t, void *),
			   clockid_t id)
{
	char *at = GOOD_PLACE->at;
	size_t size = timespec_size(pair);

	memset(at, UNTOUCHED, 64);
	if (f(id, at))
		return is_untouched(at, 0, 64);
	return is_untouched(at, size, 64) && !is_untouched(at, size / 2, size);
}

static void test_writes(const struct clock_pair *pair, const char *name,
			int (*f)(clockid_t, void *))
{
	int wrong = 0;

	for (int i = 0; i < id_count; i++) {
		if (writes_cleanly(pair, f, ids[i]))
			continue;
		diag("%s(%d) wrote what it should not", name, ids[i]);
		wrong++;
	}
	ok(!wrong, "%s: %d ids: writes a whole timespec or nothing", name, id_count);
}

static void test_resolutions(const struct clock_pair *pair)
{
	struct timespec_buffer mine, kernels;
	int wrong = 0;

	for (int i = 0; i < id_count; i++) {
		if (raw_syscall(pair->getres_nr, ids[i], (long)&kernels, 0))
			continue;
		if (!pair->getres(ids[i], &mine) &&
		    timespec_ns(pair, &mine) == timespec_ns(pair, &kernels))
			continue;
		diag("%s(%d): %lld ns, the system call says %lld ns", pair->getres_name, ids[i],
		     (long long)timespec_ns(pair, &mine), (long long)timespec_ns(pair, &kernels));
		wrong++;
	}
	ok(!wrong, "%s: the system call's resolutions", pair->getres_name);
}

static void test_errno(const struct clock_pair *pair)
{
	struct timespec_buffer ts;
	bool untouched;

	errno = EXDEV;
	untouched = !pair->gettime(CLOCK_MONOTONIC, &ts) && errno == EXDEV;
	untouched &= pair->gettime(INT_MAX, &ts) < 0 && errno == EXDEV;
	ok(untouched, "%s: errno stays as it is", pair->gettime_name);
}

/* The kernel's own vDSO of some ABIs does not have every function. */
static bool is_exported(const char *name, const void *f)
{
	if (machine.uvdso)
		return ok(f, "%s is exported", name);
	if (!f)
		tap_skip(name, "this kernel's own vDSO does not export it");
	return f;
}

static void test_pair(const struct clock_pair *pair)
{
	if (is_exported(pair->gettime_name, (void *)pair->gettime)) {
		for (int i = 0; i < PLACES; i++)
			test_results(pair->gettime_name, pair->gettime, pair->gettime_nr,
				     &places[i]);
		test_writes(pair, pair->gettime_name, pair->gettime);
		test_errno(pair);
	}
	if (is_exported(pair->getres_name, (void *)pair->getres)) {
		for (int i = 0; i < PLACES; i++)
			test_results(pair->getres_name, pair->getres, pair->getres_nr, &places[i]);
		test_writes(pair, pair->getres_name, pair->getres);
		test_resolutions(pair);
	}
}

/* Every pair of pointers. */
static void test_pointers(const char *name, any_function f, long nr)
{
	int wrong = 0;

	for (int i = 0; i < PLACES * PLACES; i++) {
		const struct place *a = &places[i / PLACES], *b = &places[i % PLACES];
		long result = guarded_call(f, (long)a->at, (long)b->at);
		long wanted = raw_syscall(nr, (long)a->at, (long)b->at, 0);

		if (result == wanted || (result == -EFAULT && (may_fault(a) || may_fault(b))))
			continue;
		if (wrong++ < MAX_REMARKS)
			diag("%s(%s, %s): %ld, the system call returns %ld", name, a->name,
			     b->name, result, wanted);
	}
	ok(!wrong, "%s: every pair of pointers: the system call's results", name);
}

static int64_t timeval_us(const guest_long tv[2])
{
	return (int64_t)tv[0] * 1000000 + tv[1];
}

static void test_timeval(void)
{
	guest_long before[2], now[2], after[2];
	bool right = true;

	for (int i = 0; i < 1000; i++) {
		raw_syscall(__NR_gettimeofday, (long)before, 0, 0);
		right &= !vdso.gettimeofday(now, NULL);
		raw_syscall(__NR_gettimeofday, (long)after, 0, 0);
		right &= timeval_us(before) <= timeval_us(now);
		right &= timeval_us(now) <= timeval_us(after);
		right &= now[1] >= 0 && now[1] < 1000000;
	}
	ok(right, "gettimeofday: between two system calls, microseconds in range");
}

static bool gettimeofday_writes_cleanly(bool with_tv, bool with_tz)
{
	char *tv = GOOD_PLACE->at, *tz = tv + 64;

	memset(tv, UNTOUCHED, 128);
	return !vdso.gettimeofday(with_tv ? tv : NULL, with_tz ? tz : NULL) &&
	       is_untouched(tv, 0, 16) == !with_tv && is_untouched(tz, 0, 8) == !with_tz &&
	       is_untouched(tv, 2 * sizeof(guest_long), 64) && is_untouched(tz, 8, 64);
}

static void test_gettimeofday(void)
{
	test_pointers("gettimeofday", as_any(vdso.gettimeofday), __NR_gettimeofday);
	test_timeval();
	ok(gettimeofday_writes_cleanly(false, false) && gettimeofday_writes_cleanly(true, false) &&
	   gettimeofday_writes_cleanly(false, true) && gettimeofday_writes_cleanly(true, true),
	   "gettimeofday: writes what was asked for and nothing else");
}

static void test_time(void)
{
	int wrong = 0;

	for (int i = 0; i < PLACES; i++) {
		long at = (long)places[i].at, before = raw_syscall(NR_TIME, at, 0, 0);
		long now = guarded_call(as_any(vdso.time), at, 0);
		long after = raw_syscall(NR_TIME, at, 0, 0);
		bool right = before < 0 ? now == before : before <= now && now <= after;

		if (!right)
			diag("time(%s): %ld, the system call returns %ld", places[i].name, now, after);
		wrong += !right;
	}
	ok(!wrong, "time: every pointer: the system call's results");
}

static bool stores_time(void)
{
	char *at = GOOD_PLACE->at;
	guest_long returned, stored;

	memset(at, UNTOUCHED, 64);
	returned = vdso.time((guest_long *)at);
	memcpy(&stored, at, sizeof(stored));
	return stored == returned && is_untouched(at, sizeof(stored), 64);
}

/* @wanted: the CPU that this thread is bound to. */
static bool cpu_is_right(unsigned int wanted)
{
	unsigned int cpu = ~0u, node = ~0u, kernels_node = ~0u;

	raw_syscall(__NR_getcpu, 0, (long)&kernels_node, 0);
	if (!vdso.getcpu(&cpu, &node, NULL) && !vdso.getcpu(NULL, NULL, NULL) && cpu == wanted &&
	    node == kernels_node)
		return true;
	diag("getcpu on CPU %u: CPU %u, node %u, the kernel says %u", wanted, cpu, node, kernels_node);
	return false;
}

static void test_getcpu(void)
{
	cpu_set_t allowed, one;
	bool right = true;
	int cpus = 0;

	test_pointers("getcpu", as_any(vdso.getcpu), __NR_getcpu);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!CPU_ISSET(cpu, &allowed) || sched_setaffinity(0, sizeof(one), &one))
			continue;
		right &= cpu_is_right(cpu);
		cpus++;
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
	ok(cpus && right, "getcpu: right on each of %d CPUs", cpus);
}

static void test_others(void)
{
	if (is_exported("gettimeofday", (void *)vdso.gettimeofday))
		test_gettimeofday();
	if (!HAS_GETCPU) {
		ok(!vdso.time && !vdso.getcpu, "time and getcpu are not exported");
		return;
	}
	if (is_exported("time", (void *)vdso.time)) {
		test_time();
		ok(stores_time(), "time: stores what it returns and nothing else");
	}
	if (is_exported("getcpu", (void *)vdso.getcpu))
		test_getcpu();
}

int main(int argc, char **argv)
{
	guest_open(argc, argv);
	ok(vdso.base, "the kernel maps a vDSO");
	if (!ok(make_places(), "memory of every kind"))
		return tap_done();
	make_ids();
	catch_faults();
	for (int i = 0; vdso.base && i < CLOCK_PAIRS; i++)
		test_pair(&vdso.pairs[i]);
	if (vdso.base)
		test_others();
	return tap_done();
}
