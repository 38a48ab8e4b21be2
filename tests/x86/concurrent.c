// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Threads that read all clocks while a writer updates the page at full speed,
 * switches between counters and the system call, bends the slope and steps
 * CLOCK_REALTIME: no clock that must not go back does so, in a thread or
 * between threads. Then the same with a process of the other ABI on the same page.
 *
 * The hooks are those of x86; the test stands in for the kernel, whose
 * timekeeper and page change under one lock.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cpuid.h>
#include "../core/core.h"
#include "../core/model.h"

#define READERS		3
#define MILLISECONDS	1500
#define PATIENCE_MS	60000
#define KHZ		3000000
#define MULT		(1u << 29)	/* with shift 30: 2 GHz, whatever the TSC's rate is */
#define SHIFT		30

/* What CLOCK_REALTIME is ahead of CLOCK_MONOTONIC; it steps from one to the other. */
static const struct vdso_offset ahead[2] = { { 1700000000, 1 }, { 1700001000, 600000000 } };

/* Shared with a process of another ABI, hence the fixed types; after the mapping. */
struct shared {
	u32		stop;
	u32		lock;
	__aligned_u64	latest[VDSO_CLOCKS];	/* the latest time that any thread has seen, ns */
	__aligned_u64	reads;
	__aligned_u64	back;			/* readings before the latest */
	__aligned_u64	torn;			/* REALTIME that was never so */
	__aligned_u64	fallbacks;
	__aligned_u64	updates;
	struct counter_clock kernel[VDSO_CLOCKS];
};

static struct shared *shared;

static u64 tsc(void)
{
	return vdso_cycles_value(rdtsc_after_lfence());
}

static void count(u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

static void lock(void)
{
	while (__sync_lock_test_and_set(&shared->lock, 1))
		sched_yield();
}

static void unlock(void)
{
	__sync_lock_release(&shared->lock);
}

/* The kernel's answer: its timekeeper, under its lock. */
long test_syscall(long nr, long id, long ts, long c)
{
	struct counter_clock *clock = &shared->kernel[id];
	s64 *out = (s64 *)ts;
	u64 now, ns;

	count(&shared->fallbacks);
	lock();
	now = tsc();
	ns = counter_clock_ns(clock, now < clock->cycle_last ? clock->cycle_last : now);
	unlock();
	out[0] = (s64)(ns / NSEC_PER_SEC);
	out[1] = (s64)(ns % NSEC_PER_SEC);
	return 0;
}

static u64 read_ns(int id)
{
	struct new_time ts;

#ifdef __NR_clock_gettime64
	__vdso_clock_gettime64(id, &ts);
#else
	__vdso_clock_gettime(id, &ts);
#endif
	return (u64)ts.sec * NSEC_PER_SEC + (u64)ts.nsec;
}

/* Loads and compares 64 bits at once on either ABI. */
static u64 latest(int id)
{
	return __sync_val_compare_and_swap(&shared->latest[id], 0, 0);
}

static void publish(int id, u64 ns)
{
	u64 seen = latest(id);

	while (seen < ns) {
		u64 was = __sync_val_compare_and_swap(&shared->latest[id], seen, ns);

		if (was == seen)
			return;
		seen = was;
	}
}

/* Not before what any thread had seen when this one began to read. */
static u64 read_forward(int id)
{
	u64 floor = latest(id);
	u64 ns = read_ns(id);

	count(&shared->reads);
	if (ns < floor)
		count(&shared->back);
	publish(id, ns);
	return ns;
}

/* REALTIME is ahead of MONOTONIC by one of two amounts, whenever it is read. */
static void check_realtime(void)
{
	u64 before = read_ns(CLOCK_MONOTONIC);
	u64 real = read_ns(CLOCK_REALTIME);
	u64 after = read_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < 2; i++) {
		u64 mono = real - (u64)ahead[i].sec * NSEC_PER_SEC - ahead[i].nsec;

		if (mono >= before && mono <= after)
			return;
	}
	count(&shared->torn);
}

static void *reader(void *unused)
{
	while (!READ_ONCE(shared->stop)) {
		u64 coarse = read_forward(CLOCK_MONOTONIC_COARSE);

		if (read_forward(CLOCK_MONOTONIC) < coarse)
			count(&shared->back);
		read_forward(CLOCK_MONOTONIC_RAW);
		read_forward(CLOCK_BOOTTIME);
		check_realtime();
	}
	return NULL;
}

static bool has_rdtscp(void)
{
	u32 a, b, c, d;

	return __get_cpuid(0x80000001, &a, &b, &c, &d) && d & 1u << 27;
}

static void set_realtime(struct vdso_timekeeper *tk, int to)
{
	struct vdso_offset mono = { tk->real.sec, (u32)(tk->real.nsec >> SHIFT) };
	u64 fraction = tk->real.nsec & ((1u << SHIFT) - 1);
	u64 nsec;

	/* From REALTIME back to MONOTONIC, and on to the other REALTIME. */
	nsec = mono.nsec + tk->wall_to_monotonic.nsec + ahead[to].nsec;
	tk->real.sec = mono.sec + tk->wall_to_monotonic.sec + ahead[to].sec +
		       (s64)(nsec / NSEC_PER_SEC);
	tk->real.nsec = nsec % NSEC_PER_SEC << SHIFT | fraction;
	tk->wall_to_monotonic.sec = -ahead[to].sec - 1;
	tk->wall_to_monotonic.nsec = NSEC_PER_SEC - ahead[to].nsec;
}

static void start_timekeeper(struct vdso_timekeeper *tk)
{
	memset(tk, 0, sizeof(*tk));
	tk->real.mode = VDSO_MODE_TSC_LFENCE;
	tk->real.mult = MULT;
	tk->real.shift = SHIFT;
	tk->real.mask = ~0ull;
	tk->real.cycle_last = tsc();
	tk->raw = tk->real;
	tk->real.sec = 5;
	tk->monotonic_to_boot.sec = 100;
	tk->counter_khz = KHZ;
	set_realtime(tk, 0);
}

/* The kernel's own copy, for whoever makes the system call. */
static void fill_kernel(const struct vdso_timekeeper *tk)
{
	for (int id = 0; id <= CLOCK_TAI; id++) {
		const struct vdso_timebase *base =
			id == CLOCK_MONOTONIC_RAW ? &tk->raw : &tk->real;
		bool coarse = id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
		struct model_time time = model_read(tk, NULL, id, base->cycle_last);

		shared->kernel[id] = (struct counter_clock){
			.cycle_last = base->cycle_last,
			.base_ns = (u64)time.sec * NSEC_PER_SEC + time.nsec,
			.mult = coarse ? 0 : base->mult,
			.shift = SHIFT,
		};
		shared->kernel[id].offset = (base->nsec & ((1u << SHIFT) - 1)) -
			base->cycle_last * shared->kernel[id].mult;
	}
}

/*
 * The next counter, slope and step. The slope changes by less than 0.01 ppm: while
 * the writer is at work readers are still on the old one, and a thread that loses
 * its CPU there for 100 ms must not make the new one begin 1 ns behind.
 */
static void change(struct vdso_timekeeper *tk, u64 update)
{
	static const u32 modes[] = {
		VDSO_MODE_TSC_LFENCE, VDSO_MODE_TSC_RDTSCP, VDSO_MODE_SYSCALL,
	};
	u32 mode = modes[update / 64 % 3];

	if (mode == VDSO_MODE_TSC_RDTSCP && !has_rdtscp())
		mode = VDSO_MODE_TSC_LFENCE;
	tk->real.mult = MULT + (u32)random_below(4);
	tk->real.mode = tk->raw.mode = mode;
	if (update % 16 == 0)
		set_realtime(tk, (int)(update / 16 % 2));
}

/*
 * model_read() answers only for usable counters: the kernel's copy is filled
 * before the page gets to know that this one is not.
 */
static void update(struct vdso_timekeeper *tk, u64 number)
{
	u32 mode;

	lock();
	model_advance(tk, tsc());
	change(tk, number);
	mode = tk->real.mode;
	tk->real.mode = tk->raw.mode = VDSO_MODE_TSC_LFENCE;
	fill_kernel(tk);
	tk->real.mode = tk->raw.mode = mode;
	vdso_update(vdso_pages, tk);
	unlock();
}

static void *writer(void *unused)
{
	struct vdso_timekeeper tk;

	start_timekeeper(&tk);
	for (u64 number = 1; !READ_ONCE(shared->stop); number++) {
		update(&tk, number);
		count(&shared->updates);
	}
	return NULL;
}

/* Maps pages and shared data of @fd; the pages go where the readers look for them. */
static void map_shared(int fd)
{
	size_t pages = ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE;

	if (mmap(vdso_pages, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
	    MAP_FAILED)
		err(1, "mmap of the page");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, pages);
	if (shared == MAP_FAILED)
		err(1, "mmap of the shared data");
}

static int create_shared(void)
{
	int fd = memfd_create("concurrent", 0);
	size_t pages = ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE;

	if (fd < 0 || ftruncate(fd, (off_t)(pages + sizeof(*shared))))
		err(1, "memfd_create");
	map_shared(fd);
	return fd;
}

static void start(pthread_t *thread, void *(*run)(void *))
{
	if (pthread_create(thread, NULL, run, NULL))
		errx(1, "pthread_create failed");
}

static bool enough(void)
{
	return READ_ONCE(shared->reads) > 100 && READ_ONCE(shared->updates) > 100 &&
	       READ_ONCE(shared->fallbacks) &&
	       READ_ONCE(shared->fallbacks) < READ_ONCE(shared->reads);
}

static void report(const char *who)
{
	ok(enough() && !shared->back,
	   "%s: no clock goes back (%llu reads, %llu updates)", who,
	   (unsigned long long)shared->reads, (unsigned long long)shared->updates);
	if (shared->back)
		diag("%llu times", (unsigned long long)shared->back);
	ok(!shared->torn, "%s: CLOCK_REALTIME is always one of the two that it steps between",
	   who);
	ok(shared->fallbacks && shared->fallbacks < shared->reads,
	   "%s: some readings came by system call, not all", who);
}

/* For MILLISECONDS, on a slow machine until there is enough to judge by, but not forever. */
static void wait_for_readings(void)
{
	for (int ms = 0; ms < MILLISECONDS || (ms < PATIENCE_MS && !enough()); ms++)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
}

/* Readers here, and in @peer if there is one. Skipped where the kernel starts no such program. */
static void run(const char *who, int readers, char *const peer[])
{
	pthread_t thread[READERS + 1];
	pid_t pid = 0;
	int status = 0, error = 0;

	memset(shared, 0, sizeof(*shared));
	start(&thread[0], writer);
	while (!READ_ONCE(shared->updates))
		sched_yield();
	for (int i = 1; i <= readers; i++)
		start(&thread[i], reader);
	if (peer)
		error = posix_spawn(&pid, peer[0], NULL, NULL, peer, environ);
	if (!error)
		wait_for_readings();
	WRITE_ONCE(shared->stop, 1);
	for (int i = 0; i <= readers; i++)
		pthread_join(thread[i], NULL);
	if (error) {
		tap_skip(who, strerror(error));
		return;
	}
	if (peer)
		ok(waitpid(pid, &status, 0) == pid && !status, "%s: %s ran", who, peer[0]);
	report(who);
}

/* The program of the other ABI, beside this one: concurrent-64, concurrent-32.elf. */
static const char *peer_path(const char *self)
{
	static char path[4096];
	const char *name = sizeof(long) == 8 ? "64" : "32.elf";
	const char *other = sizeof(long) == 8 ? "32.elf" : "64";
	size_t length = strlen(self) - strlen(name);

	if (strlen(self) < strlen(name) || length + strlen(other) >= sizeof(path))
		return NULL;
	memcpy(path, self, length);
	strcpy(path + length, other);
	return access(path, X_OK) ? NULL : path;
}

int main(int argc, char **argv)
{
	char fd[16];
	const char *other;

	random_seed();
	if (argc == 2) {
		map_shared(atoi(argv[1]));
		reader(NULL);
		return 0;
	}
	if (getenv("EMULATOR")) {
		tap_skip("threads", "the emulator does not order counter reads: no 32-bit programs here");
		return tap_done();
	}
	snprintf(fd, sizeof(fd), "%d", create_shared());
	run("threads", READERS, NULL);
	other = peer_path(argv[0]);
	if (other)
		run("two ABIs", 1, (char *const[]){ (char *)other, fd, NULL });
	else
		tap_skip("two ABIs on one page", "the other ABI's program is not built");
	return tap_done();
}
