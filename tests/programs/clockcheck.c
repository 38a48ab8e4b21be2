// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage: clockcheck MODE [PROGRAM...]
 *
 * A program as any other, which takes its time from the C library. It checks that
 * the vDSO it was given is this project's, and that every clock it reads lies
 * between two system calls. MODE says where it reads them: in the process itself
 * (here), in threads, after fork, vfork, clone or posix_spawn, among signals, or
 * after a chain of execs: "exec N A B" becomes A, then B, then A, N times.
 *
 * Exit status: 0; 1 and a sentence if a time was wrong; 3 if the vDSO is not ours.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WRONG_TIME	1
#define NOT_OURS	3
#define NSEC_PER_SEC	1000000000LL
/* How long a coarse clock may have stood still: many ticks, for a loaded machine. */
#define COARSE_AGE	(NSEC_PER_SEC / 5)

/* The system call whose timespec is the C library's. */
#if defined(__i386__) && defined(_TIME_BITS) && _TIME_BITS == 64
#define NR_clock_gettime	SYS_clock_gettime64
#else
#define NR_clock_gettime	SYS_clock_gettime
#endif

extern char **environ;

static const struct clock {
	const char *name;
	clockid_t id;
	bool coarse;
} clocks[] = {
	{ "CLOCK_REALTIME", CLOCK_REALTIME, false },
	{ "CLOCK_MONOTONIC", CLOCK_MONOTONIC, false },
	{ "CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW, false },
	{ "CLOCK_BOOTTIME", CLOCK_BOOTTIME, false },
	{ "CLOCK_TAI", CLOCK_TAI, false },
	{ "CLOCK_REALTIME_COARSE", CLOCK_REALTIME_COARSE, true },
	{ "CLOCK_MONOTONIC_COARSE", CLOCK_MONOTONIC_COARSE, true },
};

#define CLOCKS	(sizeof(clocks) / sizeof(clocks[0]))

static int64_t ns(const struct timespec *time)
{
	return time->tv_sec * NSEC_PER_SEC + time->tv_nsec;
}

static int64_t kernel_ns(clockid_t id)
{
	struct timespec time;

	if (syscall(NR_clock_gettime, id, &time))
		err(WRONG_TIME, "system call clock_gettime(%d)", (int)id);
	return ns(&time);
}

static int64_t library_ns(clockid_t id)
{
	struct timespec time;

	if (clock_gettime(id, &time))
		err(WRONG_TIME, "clock_gettime(%d)", (int)id);
	return ns(&time);
}

static void check_clock(const struct clock *clock)
{
	int64_t before = kernel_ns(clock->id) - (clock->coarse ? COARSE_AGE : 0);
	int64_t now = library_ns(clock->id);
	int64_t after = kernel_ns(clock->id);

	if (now < before || now > after)
		errx(WRONG_TIME, "%s: read %lld ns, between system calls at %lld and %lld",
		     clock->name, (long long)now, (long long)before, (long long)after);
}

/* time() may be one tick late when the second turns: it is a coarse clock. */
static void check_seconds(void)
{
	int64_t before = kernel_ns(CLOCK_REALTIME_COARSE) - COARSE_AGE;
	time_t now = time(NULL);
	struct timeval exact;

	if (now < before / NSEC_PER_SEC || now > kernel_ns(CLOCK_REALTIME) / NSEC_PER_SEC)
		errx(WRONG_TIME, "time() returned %lld", (long long)now);
	before = kernel_ns(CLOCK_REALTIME) / 1000;
	gettimeofday(&exact, NULL);
	if (exact.tv_sec * 1000000LL + exact.tv_usec < before)
		errx(WRONG_TIME, "gettimeofday() is behind the system call");
}

static void check_clocks(int rounds)
{
	while (rounds--) {
		for (size_t i = 0; i < CLOCKS; i++)
			check_clock(&clocks[i]);
		check_seconds();
	}
}

static bool note_is_ours(const char *note, const char *end)
{
	while (note + sizeof(ElfW(Nhdr)) < end) {
		const ElfW(Nhdr) *header = (const void *)note;
		const char *name = note + sizeof(*header);

		if (header->n_namesz == sizeof("uvdso") && !strcmp(name, "uvdso"))
			return true;
		note = name + ((header->n_namesz + 3) & ~3u) + ((header->n_descsz + 3) & ~3u);
	}
	return false;
}

/* The image carries a note with its name. */
static void need_our_image(void)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *elf = (const void *)image;
	const ElfW(Phdr) *segment = (const void *)(image + (elf ? elf->e_phoff : 0));

	if (!image)
		errx(NOT_OURS, "no vDSO");
	for (int i = 0; i < elf->e_phnum; i++) {
		const char *note = image + segment[i].p_vaddr;

		if (segment[i].p_type == PT_NOTE &&
		    note_is_ours(note, note + segment[i].p_memsz))
			return;
	}
	errx(NOT_OURS, "the vDSO at %p is not this project's", (const void *)image);
}

static void check_here(void)
{
	need_our_image();
	check_clocks(1000);
}

/* Ends like the child did. */
static void wait_for(pid_t pid, const char *how)
{
	int status;

	if (pid < 0)
		err(EXIT_FAILURE, "%s", how);
	if (waitpid(pid, &status, __WALL) != pid)
		err(EXIT_FAILURE, "waitpid after %s", how);
	if (!WIFEXITED(status))
		errx(EXIT_FAILURE, "the child after %s ended with status %#x", how, status);
	if (WEXITSTATUS(status))
		exit(WEXITSTATUS(status));
}

/* The latest CLOCK_MONOTONIC that any thread has seen. */
static int64_t latest;

static void *thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < 200000; i++) {
		int64_t seen = __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
		int64_t now = library_ns(CLOCK_MONOTONIC);

		if (now < seen)
			errx(WRONG_TIME, "another thread had seen CLOCK_MONOTONIC %lld ns later",
			     (long long)(seen - now));
		while (seen < now && !__atomic_compare_exchange_n(&latest, &seen, now, true,
								  __ATOMIC_RELEASE,
								  __ATOMIC_RELAXED))
			;
	}
	check_clocks(100);
	return NULL;
}

static void check_threads(void)
{
	pthread_t threads[4];

	need_our_image();
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, thread, NULL))
			errx(EXIT_FAILURE, "can't create a thread");
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void check_fork(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid) {
			check_here();
			_exit(0);
		}
		wait_for(pid, "fork");
	}
}

/* The child of vfork() may only exec: into this program again. */
static void check_vfork(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = vfork();

		if (!pid) {
			execl("/proc/self/exe", "clockcheck", "here", (char *)NULL);
			_exit(127);
		}
		wait_for(pid, "vfork");
	}
}

static int cloned(void *unused)
{
	(void)unused;
	check_here();
	return 0;
}

static void check_clone(void)
{
	static char stack[2][65536] __attribute__((aligned(16)));
	const int flags[] = { SIGCHLD, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD };

	for (int i = 0; i < 2; i++)
		wait_for(clone(cloned, stack[i] + sizeof(stack[i]), flags[i], NULL), "clone");
}

static void check_spawn(void)
{
	char *argv[] = { "clockcheck", "here", NULL };
	pid_t pid;

	for (int i = 0; i < 20; i++) {
		errno = posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ);
		wait_for(errno ? -1 : pid, "posix_spawn");
	}
}

static volatile sig_atomic_t signals;

static void handler(int signal)
{
	(void)signal;
	signals++;
	check_clocks(1);
}

/* Every read in the loop may be interrupted by one in the handler. */
static void check_signals(void)
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	const struct itimerval often = { { 0, 200 }, { 0, 200 } };
	const int64_t end = kernel_ns(CLOCK_MONOTONIC) + NSEC_PER_SEC;

	need_our_image();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (kernel_ns(CLOCK_MONOTONIC) < end)
		check_clocks(1);
	if (signals < 100)
		errx(EXIT_FAILURE, "only %d signals arrived in a second", (int)signals);
}

/* argv: exec N A B. Becomes A with "exec N-1 B A". */
static void check_exec(char **argv)
{
	char count[12];
	int left = atoi(argv[1]);

	check_here();
	if (!left)
		return;
	snprintf(count, sizeof(count), "%d", left - 1);
	execl(argv[2], argv[2], "exec", count, argv[3], argv[2], (char *)NULL);
	err(127, "%s", argv[2]);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*check)(void);
	} modes[] = {
		{ "here", check_here }, { "threads", check_threads }, { "fork", check_fork },
		{ "vfork", check_vfork }, { "clone", check_clone }, { "spawn", check_spawn },
		{ "signals", check_signals },
	};

	if (argc == 5 && !strcmp(argv[1], "exec")) {
		check_exec(argv + 1);
		return 0;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (argc == 2 && !strcmp(argv[1], modes[i].name)) {
			modes[i].check();
			return 0;
		}
	}
	errx(2, "usage: clockcheck here|threads|fork|vfork|clone|spawn|signals|exec N A B");
}
