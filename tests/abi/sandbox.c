// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Sandboxes: a seccomp filter kills the process at any system call that it does
 * not name. What the page serves must work where no call at all is allowed, and
 * what falls back must make exactly the call of its own kind: programs sandboxed
 * for the old 32-bit calls die of a time64 one.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/tap.h"
#include "under_test.h"

#if defined(__x86_64__)
#define THIS_ARCH	AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define THIS_ARCH	AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define THIS_ARCH	AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define THIS_ARCH	AUDIT_ARCH_ARM
#elif defined(__riscv)
#define THIS_ARCH	AUDIT_ARCH_RISCV64
#endif

#define MAX_ALLOWED	8

/**
 * struct sandbox - which system calls are left
 * @name:	for people
 * @allowed:	their numbers; exit_group comes on top
 * @count:	how many
 */
struct sandbox {
	const char	*name;
	long		allowed[MAX_ALLOWED];
	int		count;
};

static const struct sandbox nothing = { .name = "no system call at all" };

#define KILL	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Goes on behind the next instruction if the loaded value is not @value. */
#define IF(value)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)(value), 0, 1)

static void enter(const struct sandbox *sandbox)
{
	struct sock_filter filter[2 * MAX_ALLOWED + 8] = {
		LOAD(arch), IF(THIS_ARCH), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), KILL,
		LOAD(nr), IF(__NR_exit_group), ALLOW,
	};
	struct sock_fprog program = { .len = 7, .filter = filter };

	for (int i = 0; i < sandbox->count; i++) {
		filter[program.len++] = (struct sock_filter)IF(sandbox->allowed[i]);
		filter[program.len++] = (struct sock_filter)ALLOW;
	}
	filter[program.len++] = (struct sock_filter)KILL;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(99);
}

/* Runs @body in a sandboxed child. Returns its wait status. */
static int run_inside(const struct sandbox *sandbox, bool (*body)(const void *), const void *arg)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		enter(sandbox);
		_exit(body(arg) ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status;
}

static bool fine(int status)
{
	if (WIFSIGNALED(status))
		diag("killed by signal %d%s", WTERMSIG(status),
		     WTERMSIG(status) == SIGSYS ? ": a system call that is not allowed" : "");
	else if (WEXITSTATUS(status) == 99)
		diag("this kernel does not take the seccomp filter");
	else if (status)
		diag("a function reported an error");
	return status == 0;
}

static bool killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static const clockid_t served[] = {
	CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
	CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE,
};

/* One pair of functions with every clock that a page usually serves. */
static bool use_clocks(const void *arg)
{
	const struct clock_functions *f = arg;
	struct timespec_buffer ts;

	for (size_t i = 0; i < sizeof(served) / sizeof(*served); i++)
		if (f->gettime(served[i], &ts) || f->getres(served[i], &ts))
			return false;
	return true;
}

/* And with ids that no page ever serves; the invalid ones must get the call's error. */
static bool use_all_clocks(const void *arg)
{
	const struct clock_functions *f = arg;
	struct timespec_buffer ts;

	return use_clocks(arg) &&
	       !f->gettime(CLOCK_PROCESS_CPUTIME_ID, &ts) &&
	       !f->getres(CLOCK_PROCESS_CPUTIME_ID, &ts) &&
	       !f->gettime(CLOCK_THREAD_CPUTIME_ID, &ts) &&
	       f->gettime(-1000000, &ts) < 0 && f->gettime(1000000, &ts) < 0 &&
	       f->getres(1000000, &ts) < 0;
}

static bool use_others(const void *unused)
{
	unsigned int cpu, node;
	long tv[2];
	int tz[2];

	return !vdso.gettimeofday(tv, NULL) && !vdso.gettimeofday(tv, tz) &&
	       !vdso.gettimeofday(NULL, tz) && !vdso.gettimeofday(NULL, NULL) &&
	       (!vdso.time || vdso.time(NULL) > 0) &&
	       (!vdso.getcpu || vdso.page->cpu_mode == VDSO_CPU_SYSCALL ||
		!vdso.getcpu(&cpu, &node, NULL));
}

static bool call_exit(const void *unused)
{
	return true;
}

static bool call_getpid(const void *unused)
{
	return raw_syscall(__NR_getpid, 0, 0, 0) > 0;
}

/* What is served needs no system call. */
static void test_served(void)
{
	for (int i = 0; i < CLOCK_FUNCTIONS; i++)
		ok(fine(run_inside(&nothing, use_clocks, &vdso.clocks[i])),
		   "%s, %s: served clocks work with %s", vdso.clocks[i].gettime_name,
		   vdso.clocks[i].getres_name, nothing.name);
	ok(fine(run_inside(&nothing, use_others, NULL)),
	   "gettimeofday, time, getcpu work with %s", nothing.name);
}

/* Only the calls of one pair of functions are allowed: all else of the pair works too. */
static void test_pair(const struct clock_functions *f)
{
	const struct sandbox own = {
		.name = "only their own system calls",
		.allowed = { f->gettime_nr, f->getres_nr }, .count = 2,
	};

	ok(fine(run_inside(&own, use_all_clocks, f)), "%s, %s: all ids work with %s",
	   f->gettime_name, f->getres_name, own.name);
	ok(killed(run_inside(&nothing, use_all_clocks, f)),
	   "and with %s an id that is not served kills", nothing.name);
	vdso_stop(vdso.page);
	ok(fine(run_inside(&own, use_all_clocks, f)),
	   "%s, %s: all ids work with %s, and a page that serves nothing",
	   f->gettime_name, f->getres_name, own.name);
	ok(killed(run_inside(&nothing, use_clocks, f)),
	   "and with %s a page that serves nothing kills", nothing.name);
	under_test_update();
}

/* The remaining calls have been the same since the beginning. */
static void test_others(void)
{
	struct sandbox old = {
		.name = "only the old system calls",
		.allowed = { __NR_gettimeofday }, .count = 1,
	};

#ifdef __NR_time
	old.allowed[old.count++] = __NR_time;
#endif
	vdso_stop(vdso.page);
	ok(fine(run_inside(&old, use_others, NULL)),
	   "gettimeofday, time: work with %s, and a page that serves nothing", old.name);
	ok(killed(run_inside(&nothing, use_others, NULL)),
	   "and with %s a page that serves nothing kills", nothing.name);
	under_test_update();
}

static bool have_filters(void)
{
	int status = run_inside(&nothing, call_exit, NULL);

	return !WIFEXITED(status) || WEXITSTATUS(status) != 99;
}

static void test_all(void)
{
	if (!have_filters()) {
		tap_skip("sandboxes", "the kernel, or the emulator, takes no seccomp filter");
		return;
	}
	ok(killed(run_inside(&nothing, call_getpid, NULL)), "the sandbox kills");
	test_served();
	if (vdso.x32)
		return;	/* its calls have numbers of their own, which many kernels don't know */
	for (int i = 0; i < CLOCK_FUNCTIONS; i++)
		test_pair(&vdso.clocks[i]);
	test_others();
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
