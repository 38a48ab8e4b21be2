// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vdso/hooks.h>

#include "../lib/effort.h"
#include "host_cpu.h"
#include "life.h"

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

/* Room for the frames of a test; the image itself needs next to none. */
#define STACK_SIZE	(256 << 10)

const struct life_clock life_clocks[LIFE_CLOCKS] = {
	{ CLOCK_REALTIME,		"REALTIME",		false },
	{ CLOCK_MONOTONIC,		"MONOTONIC",		false },
	{ CLOCK_MONOTONIC_RAW,		"MONOTONIC_RAW",	false },
	{ CLOCK_BOOTTIME,		"BOOTTIME",		false },
	{ CLOCK_TAI,			"TAI",			false },
	{ CLOCK_REALTIME_ALARM,		"REALTIME_ALARM",	false },
	{ CLOCK_BOOTTIME_ALARM,		"BOOTTIME_ALARM",	false },
	{ CLOCK_REALTIME_COARSE,	"REALTIME_COARSE",	true },
	{ CLOCK_MONOTONIC_COARSE,	"MONOTONIC_COARSE",	true },
};

/* All ways to read the counter. */
#define MAX_MODES	8
static u32 modes[MAX_MODES], mode_count;

static void find_modes(void)
{
	if (mode_count)
		return;
	/* A hypervisor's clock is not the counter that it goes by. */
	if (!host_cpu_has_counter(vdso.tk.real.mode)) {
		modes[mode_count++] = vdso.tk.real.mode;
		return;
	}
	for (u32 mode = VDSO_MODE_ARCH; mode < VDSO_MODE_ARCH + MAX_MODES; mode++)
		if (host_cpu_has_counter(mode))
			modes[mode_count++] = mode;
}

static struct {
	pthread_t	thread;
	void		(*update)(void);
	unsigned int	pause_us;
	unsigned long	updates;
	bool		stop;
} writer;

static void *write_page(void *unused)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGILL);	/* in tests/abi/refused.c it reads the counter */
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!__atomic_load_n(&writer.stop, __ATOMIC_RELAXED)) {
		writer.update();
		writer.updates++;
		if (writer.pause_us)
			usleep(writer.pause_us);
	}
	return NULL;
}

void life_writer_start(void (*update)(void), unsigned int pause_us)
{
	writer.update = update;
	writer.pause_us = pause_us;
	writer.updates = 0;
	writer.stop = false;
	writer.thread = life_thread_start(write_page, NULL, -1);
}

unsigned long life_writer_updates(void)
{
	return __atomic_load_n(&writer.updates, __ATOMIC_RELAXED);
}

unsigned long life_writer_stop(void)
{
	__atomic_store_n(&writer.stop, true, __ATOMIC_RELAXED);
	pthread_join(writer.thread, NULL);
	return writer.updates;
}

/* A stack that x32 code can have: below 4 GiB. Nobody frees it: tests are short. */
static void set_low_stack(pthread_attr_t *attr)
{
	void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (stack != MAP_FAILED)
		pthread_attr_setstack(attr, stack, STACK_SIZE);
}

static void bind_to_cpu(pthread_attr_t *attr, int cpu)
{
	cpu_set_t allowed, one;

	if (cpu < 0 || sched_getaffinity(0, sizeof(allowed), &allowed) || !CPU_ISSET(cpu, &allowed))
		return;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pthread_attr_setaffinity_np(attr, sizeof(one), &one);
}

pthread_t life_thread_start(void *(*body)(void *), void *arg, int cpu)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	bind_to_cpu(&attr, cpu);
	if (vdso.x32)
		set_low_stack(&attr);
	if (!pthread_create(&thread, &attr, body, arg))
		return thread;
	printf("Bail out! cannot start a thread\n");
	exit(EXIT_FAILURE);
}

/*
 * The same line with a base at @cycles. The base counts fractions of a ns as the
 * line does, so nothing is rounded: every reader's result stays the same.
 */
static void move_base(struct vdso_timebase *base, u64 cycles)
{
	u64 second = (u64)NSEC_PER_SEC << base->shift;
	u64 delta = cycles - base->cycle_last;

	if (base->mode == VDSO_MODE_SYSCALL || delta > base->mask >> 1 || delta > U32_MAX)
		return;
	base->cycle_last = cycles;
	base->nsec += delta * base->mult;
	for (; base->nsec >= second; base->nsec -= second)
		base->sec++;
}

/*
 * x32 programs on most kernels have no system call to fall back to. And the system
 * call's time is not on a line that was measured: near it, though.
 */
static u32 next_mode(unsigned int count)
{
	if (count % 64 == 63 && !vdso.x32 && vdso.host.vvar)
		return VDSO_MODE_SYSCALL;
	return modes[count % mode_count];
}

/* A snapshot costs more than an update: most updates do without a new one. */
#define UPDATES_PER_SNAPSHOT	16

void life_update_flipping(void)
{
	static unsigned int count;
	struct vdso_timekeeper tk;
	u64 cycles;

	/* A line that was measured is followed to the end: the next one would not meet it. */
	if (++count % UPDATES_PER_SNAPSHOT == 0 && vdso.host.vvar)
		host_clock_snapshot(&vdso.host, &vdso.tk);
	tk = vdso.tk;
	cycles = host_cpu_read_counter(tk.real.mode);
	move_base(&tk.real, cycles);
	move_base(&tk.raw, cycles);
	find_modes();
	if (tk.real.mode != VDSO_MODE_SYSCALL)
		tk.real.mode = tk.raw.mode = next_mode(count);
	vdso_update(vdso.page, &tk);
}

double life_seconds(double full)
{
	double some = full * effort_percent() / 100;

	return some > 0.4 ? some : 0.4;
}

bool life_between(const struct clock_functions *f, clockid_t id)
{
	int64_t before = syscall_ns(f, id);
	int64_t now = image_ns(f, id);
	int64_t after = syscall_ns(f, id);

	if (is_between(id, before, now, after))
		return true;
	printf("# %s(%d): %lld ns, not between %lld and %lld\n", f->gettime_name, id,
	       (long long)now, (long long)before, (long long)after);
	return false;
}

int64_t life_now_ns(void)
{
	return syscall_ns(&vdso.clocks[CLOCK_FUNCTIONS - 1], CLOCK_MONOTONIC);
}

double life_seconds_since(int64_t start_ns)
{
	return (double)(life_now_ns() - start_ns) / 1e9;
}
