// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What is done to the clocks is seen through the vDSO at once: set, stepped, steered,
 * a leap second, the time zone, the TAI offset, another clock source. All the while
 * threads on every CPU watch that CLOCK_MONOTONIC and CLOCK_BOOTTIME never go back.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <unistd.h>

#include "../../lib/tap.h"
#include "guest.h"

#define MAX_CPUS	8
#define DAY		86400

static bool stop;
static unsigned long went_back, watched;

/* One thread for each CPU. */
static void *watch(void *arg)
{
	int64_t monotonic = 0, boottime = 0;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((unsigned int)(long)arg, &one);
	sched_setaffinity(0, sizeof(one), &one);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		const struct clock_pair *pair = &vdso.pairs[watched % CLOCK_PAIRS];
		int64_t before = monotonic, before_boot = boottime;

		monotonic = vdso_ns(pair, CLOCK_MONOTONIC);
		boottime = vdso_ns(pair, CLOCK_BOOTTIME);
		__atomic_fetch_add(&watched, 1, __ATOMIC_RELAXED);
		if (monotonic < before || boottime < before_boot)
			__atomic_fetch_add(&went_back, 1, __ATOMIC_RELAXED);
		sched_yield();
	}
	return NULL;
}

/* Every clock by every pair of functions is between two system calls. */
static bool all_between(void)
{
	bool right = true;

	for (int p = 0; p < CLOCK_PAIRS; p++)
		for (int i = 0; i < GUEST_CLOCKS; i++)
			if (has_clock(&guest_clocks[i]))
				right &= between(&vdso.pairs[p], &guest_clocks[i]);
	return right;
}

/* The pair whose struct timespec holds any year. */
static const struct clock_pair *wide(void)
{
	return &vdso.pairs[CLOCK_PAIRS - 1];
}

static bool set_realtime(int64_t seconds)
{
	const long long ts[2] = { seconds, 0 };
#ifdef __NR_clock_settime64
	long ret = raw_syscall(__NR_clock_settime64, CLOCK_REALTIME, (long)ts, 0);
#else
	long ret = raw_syscall(__NR_clock_settime, CLOCK_REALTIME, (long)ts, 0);
#endif
	if (ret)
		diag("clock_settime(%lld): error %ld", (long long)seconds, ret);
	return !ret;
}

/* Sets the clock, and then it is that time, exact and coarse. */
static void test_set(const char *what, int64_t seconds)
{
	bool set = set_realtime(seconds);
	int64_t coarse = vdso_ns(wide(), CLOCK_REALTIME_COARSE);
	int64_t exact = vdso_ns(wide(), CLOCK_REALTIME);
	guest_long tv[2];

	vdso.gettimeofday(tv, NULL);
	ok(set && coarse >= seconds * SECOND_NS && coarse < (seconds + 1) * SECOND_NS &&
	   exact >= coarse && exact < (seconds + 1) * SECOND_NS && tv[0] == (guest_long)seconds &&
	   all_between(), "the clock set to %s", what);
}

static int adjust(unsigned int modes, long value)
{
	struct timex tx = { .modes = modes };

	if (modes == ADJ_FREQUENCY)
		tx.freq = value;
	if (modes == ADJ_TAI)
		tx.constant = value;
	if (modes == ADJ_STATUS)
		tx.status = (int)value;
	if (modes == (ADJ_SETOFFSET | ADJ_NANO))
		tx.time.tv_usec = value;
	return adjtimex(&tx);
}

static int64_t tai_offset(void)
{
	int64_t real = vdso_ns(wide(), CLOCK_REALTIME);

	/* A moment later, but not a second. */
	return (vdso_ns(wide(), CLOCK_TAI) - real) / SECOND_NS;
}

static void test_tai(void)
{
	bool right = true;

	for (int offset = 10; offset < 50; offset++) {
		right &= adjust(ADJ_TAI, offset) >= 0;
		right &= tai_offset() == offset;
	}
	ok(right && all_between(), "the TAI offset, 10 to 49 s");
	adjust(ADJ_TAI, 37);
}

static void test_step(void)
{
	int64_t before = vdso_ns(wide(), CLOCK_REALTIME);
	int64_t raw = vdso_ns(wide(), CLOCK_MONOTONIC_RAW);
	bool stepped = adjust(ADJ_SETOFFSET | ADJ_NANO, 700000000) >= 0;
	int64_t after = vdso_ns(wide(), CLOCK_REALTIME);
	int64_t passed = vdso_ns(wide(), CLOCK_MONOTONIC_RAW) - raw;

	ok(stepped && after >= before + 700000000 && after <= before + passed + 701000000 &&
	   all_between(), "a step of 700 ms by adjtimex()");
}

/* How much faster than the raw clock the steered one runs, in millionths. */
static double measure_ppm(void)
{
	int64_t raw = vdso_ns(wide(), CLOCK_MONOTONIC_RAW);
	int64_t steered = vdso_ns(wide(), CLOCK_MONOTONIC);

	usleep(1000000);
	steered = vdso_ns(wide(), CLOCK_MONOTONIC) - steered;
	raw = vdso_ns(wide(), CLOCK_MONOTONIC_RAW) - raw;
	return ((double)steered / (double)raw - 1) * 1e6;
}

/* Between the two readings of a pair the machine may be busy elsewhere: tries again. */
static void test_frequency(int ppm)
{
	bool set = adjust(ADJ_FREQUENCY, (long)ppm << 16) >= 0;
	double seen = 0;

	usleep(20000);	/* it takes effect at the next tick */
	for (int i = 0; i < 5; i++) {
		seen = measure_ppm();
		if (seen > ppm - 60 && seen < ppm + 60)
			break;
	}
	if (!ok(set && seen > ppm - 60 && seen < ppm + 60 && all_between(), "steered by %d ppm", ppm))
		diag("it runs at %.1f ppm", seen);
}

/* The first call that sets a zone may move the clock: Linux takes it as what it was set to. */
static void test_timezone(void)
{
	const int zones[][2] = { { -120, 1 }, { 754, 0 }, { 0, 0 } };
	bool right = true;

	for (int i = 0; i < 3; i++) {
		struct timezone zone = { zones[i][0], zones[i][1] };
		int seen[2] = { -1, -1 };

		right &= !raw_syscall(__NR_settimeofday, 0, (long)&zone, 0);
		right &= !vdso.gettimeofday(NULL, seen) && !memcmp(seen, &zone, sizeof(seen));
	}
	ok(right && all_between(), "the time zone");
}

/* CLOCK_REALTIME counts 23:59:59 twice, CLOCK_TAI does not. */
static void test_leap_second(void)
{
	int64_t midnight = 20000LL * DAY, tai, latest_tai = 0, end;
	bool right, tai_back = false;

	adjust(ADJ_STATUS, 0);
	right = set_realtime(midnight - 2) && adjust(ADJ_STATUS, STA_INS) >= 0;
	tai = tai_offset();
	end = syscall_ns(wide(), CLOCK_MONOTONIC_RAW) + 4 * SECOND_NS;
	while (right && syscall_ns(wide(), CLOCK_MONOTONIC_RAW) < end) {
		int64_t now = vdso_ns(wide(), CLOCK_TAI);

		tai_back |= now < latest_tai;
		latest_tai = now;
		/* In the leap second itself the system call may act on it before its tick does. */
		right &= between(wide(), &guest_clocks[4]) && between(wide(), &guest_clocks[1]);
	}
	adjust(ADJ_STATUS, 0);
	ok(right && !tai_back && tai_offset() == tai + 1 && all_between(), "a leap second");
	adjust(ADJ_TAI, 37);
}

#define SYSFS "/sys/devices/system/clocksource/clocksource0/"

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = fd < 0 ? -1 : read(fd, text, size - 1);

	close(fd);
	text[count < 0 ? 0 : count] = 0;
	text[strcspn(text, "\n")] = 0;
	return count > 0;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return written;
}

static bool switch_to(const char *source)
{
	bool right = write_text(SYSFS "current_clocksource", source);

	for (int i = 0; i < 20; i++) {
		right &= all_between();
		usleep(1000);
	}
	if (!right)
		diag("clock source %s", source);
	return right;
}

static void test_clocksources(void)
{
	char available[512], original[64], list[512], *save;
	bool right = true;
	int count = 0;

	if (!read_text(SYSFS "available_clocksource", available, sizeof(available)) ||
	    !read_text(SYSFS "current_clocksource", original, sizeof(original))) {
		ok(false, "the clock sources are in sysfs");
		return;
	}
	for (int round = 0; round < 5; round++) {
		strcpy(list, available);
		for (char *source = strtok_r(list, " ", &save); source;
		     source = strtok_r(NULL, " ", &save)) {
			right &= switch_to(source);
			count++;
		}
	}
	right &= switch_to(original);
	if (count == 5)
		tap_skip("the clock source switched", "this machine has only one");
	else
		ok(right, "the clock source switched %d times: %s", count, available);
}

/* Beyond what the old structures hold: then they hold what the system call puts there. */
static void test_year_2050(void)
{
	int64_t now = syscall_ns(wide(), CLOCK_REALTIME) / SECOND_NS;
	int64_t later = 2524608000;
	bool right = set_realtime(later);
	int64_t seen = vdso_ns(wide(), CLOCK_REALTIME);

	right &= seen >= later * SECOND_NS && seen < (later + 2) * SECOND_NS && all_between();
	ok(set_realtime(now) && right, "the year 2050");
}

static void run_tests(void)
{
	int64_t now = syscall_ns(wide(), CLOCK_REALTIME) / SECOND_NS;

	test_set("ten minutes later", now + 600);
	test_set("a year later", now + 365 * DAY);
	test_set("a day after it was started", 2 * DAY);
	test_set("now again", now > 20000 * DAY ? now : 20001LL * DAY);
	test_timezone();
	test_step();
	test_tai();
	test_frequency(500);
	test_frequency(-500);
	test_frequency(0);
	test_leap_second();
	test_year_2050();
	test_clocksources();
}

int main(int argc, char **argv)
{
	pthread_t threads[MAX_CPUS];
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	guest_open(argc, argv);
	if (!vdso.base || !vdso.pairs[0].gettime || !vdso.pairs[CLOCK_PAIRS - 1].gettime) {
		printf("1..0 # SKIP this kernel's vDSO has no clock_gettime for this ABI\n");
		return machine.uvdso;
	}
	for (long i = 0; i < count && i < MAX_CPUS; i++)
		pthread_create(&threads[i], NULL, watch, (void *)i);
	run_tests();
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (long i = 0; i < count && i < MAX_CPUS; i++)
		pthread_join(threads[i], NULL);
	ok(watched > 100 && !went_back, "meanwhile %lu readings of CLOCK_MONOTONIC never went back",
	   watched);
	return tap_done();
}
