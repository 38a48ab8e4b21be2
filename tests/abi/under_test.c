// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vdso/entry.h>

#include "host_cpu.h"
#include "under_test.h"

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

struct under_test vdso = {
	.clocks = {
		{
			.gettime_name = VDSO_STRING(ARCH_VDSO_NAME(clock_gettime)),
			.getres_name = VDSO_STRING(ARCH_VDSO_NAME(clock_getres)),
			.gettime_nr = __NR_clock_gettime,
			.getres_nr = __NR_clock_getres,
			.narrow = sizeof(long) == 4,
		},
#ifdef __NR_clock_gettime64
		{
			.gettime_name = VDSO_STRING(ARCH_VDSO_NAME(clock_gettime64)),
			.getres_name = VDSO_STRING(ARCH_VDSO_NAME(clock_getres_time64)),
			.gettime_nr = __NR_clock_gettime64,
			.getres_nr = __NR_clock_getres_time64,
		},
#endif
	},
};

/* TAP's way to say that nothing further can be tested. */
static __attribute__((noreturn, format(printf, 1, 2))) void bail_out(const char *why, ...)
{
	va_list args;

	va_start(args, why);
	printf("Bail out! ");
	vprintf(why, args);
	putchar('\n');
	va_end(args);
	exit(EXIT_FAILURE);
}

/* The address of an exported function, NULL if the ABI does not have it. */
static void *function(const char *name)
{
	uint64_t offset = vdso_image_symbol(&vdso.image, name);

	return offset ? vdso.mapping.base + offset : NULL;
}

static void *required_function(const char *name)
{
	void *address = function(name);

	if (!address)
		bail_out("the %s image does not export %s", vdso.abi, name);
	return address;
}

static void find_functions(void)
{
	for (int i = 0; i < CLOCK_FUNCTIONS; i++) {
		struct clock_functions *f = &vdso.clocks[i];

		f->gettime = required_function(f->gettime_name);
		f->getres = required_function(f->getres_name);
	}
	vdso.gettimeofday = required_function(VDSO_STRING(ARCH_VDSO_NAME(gettimeofday)));
	vdso.time = function(VDSO_STRING(ARCH_VDSO_NAME(time)));
	vdso.getcpu = function(VDSO_STRING(ARCH_VDSO_NAME(getcpu)));
}

/* The image is in the build directory, <O>/<abi>/vdso.so; the test in <O>/tests/<folder>. */
void under_test_open_image(void)
{
	const char *dash = strrchr(program_invocation_short_name, '-');
	static char abi[32];
	char self[PATH_MAX] = "", path[PATH_MAX + 64], why[512];

	if (!dash)
		bail_out("%s: the name of a test must end in -<ABI>", program_invocation_name);
	snprintf(abi, sizeof(abi), "%s", dash + 1);
	/* A program that a script runs under an emulator. */
	if (strchr(abi, '.'))
		*strchr(abi, '.') = 0;
	vdso.abi = abi;
	vdso.x32 = !strcmp(vdso.abi, "x32");
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || !strrchr(self, '/'))
		bail_out("cannot tell where this program lies: is /proc mounted?");
	*strrchr(self, '/') = 0;
	snprintf(path, sizeof(path), "%s/../../%s/vdso.so", self, vdso.abi);
	if (vdso_image_open(&vdso.image, path, why, sizeof(why)))
		bail_out("%s", why);
}

/* Anywhere, but for x32 at the first free place above the program's own heap. */
static int map_image(void)
{
	unsigned long hint = vdso.x32 ? 0x60000000 : 0;

	while (vdso_image_map(&vdso.image, &vdso.mapping, hint)) {
		if (errno != EEXIST || hint >= 0xe0000000)
			return -1;
		hint += 1 << 24;
	}
	return 0;
}

static void open_under_test(void)
{
	u32 cpu_mode, cpu_arg;
	char why[512];

	under_test_open_image();
	if (map_image())
		bail_out("cannot map the %s image: %s", vdso.abi, strerror(errno));
	find_functions();
	if (host_clock_open(&vdso.host, why, sizeof(why)))
		bail_out("%s", why);
	vdso.page = vdso.mapping.pages;
	cpu_mode = host_cpu_number_source(&cpu_arg);
	vdso_set_cpu(vdso.page, cpu_mode, cpu_arg);
	under_test_update();
}

void under_test_update(void)
{
	host_clock_snapshot(&vdso.host, &vdso.tk);
	host_cpu_copy_pages(vdso.tk.real.mode, vdso.page);
	vdso_update(vdso.page, &vdso.tk);
}

static void *run_body(void *body)
{
	((void (*)(void))body)();
	return NULL;
}

#define LOW_STACK_SIZE	(256 << 10)

static void run_on_low_stack(void (*body)(void))
{
	void *stack = mmap(NULL, LOW_STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	if (stack == MAP_FAILED || pthread_attr_init(&attr) ||
	    pthread_attr_setstack(&attr, stack, LOW_STACK_SIZE) ||
	    pthread_create(&thread, &attr, run_body, (void *)body) ||
	    pthread_join(thread, NULL))
		bail_out("cannot run a thread on a stack below 4 GiB");
}

void under_test_run(void (*body)(void))
{
	open_under_test();
	if (vdso.x32)
		run_on_low_stack(body);
	else
		body();
}

long raw_syscall(long nr, long a, long b, long c)
{
	int saved = errno;
	long ret = syscall(nr, a, b, c);

	if (ret == -1)
		ret = -errno;
	errno = saved;
	return ret;
}

long abi_syscall(long nr, long a, long b, long c)
{
#ifdef __X32_SYSCALL_BIT
	if (vdso.x32)
		nr |= __X32_SYSCALL_BIT;
#endif
	return raw_syscall(nr, a, b, c);
}

size_t timespec_size(const struct clock_functions *f)
{
	return f->narrow ? 8 : 16;
}

int64_t timespec_ns(const struct clock_functions *f, const void *ts)
{
	int32_t narrow[2];
	int64_t wide[2];

	if (!f->narrow) {
		memcpy(wide, ts, sizeof(wide));
		return wide[0] * NSEC_PER_SEC + wide[1];
	}
	memcpy(narrow, ts, sizeof(narrow));
	return (int64_t)narrow[0] * NSEC_PER_SEC + narrow[1];
}

/* Whether the nanoseconds are less than a second: timespec_ns() can't tell. */
static bool is_normalised(const struct clock_functions *f, const struct timespec_buffer *ts)
{
	int32_t narrow;
	int64_t wide;

	memcpy(&narrow, ts->byte + 4, sizeof(narrow));
	memcpy(&wide, ts->byte + 8, sizeof(wide));
	if (f->narrow)
		wide = narrow;
	return wide >= 0 && wide < NSEC_PER_SEC;
}

int64_t image_ns(const struct clock_functions *f, clockid_t id)
{
	struct timespec_buffer ts = { { 0 } };
	int ret = f->gettime(id, &ts);

	if (ret == -ENOSYS && vdso.x32)
		return syscall_ns(f, id);
	return ret || !is_normalised(f, &ts) ? INT64_MIN : timespec_ns(f, &ts);
}

int64_t syscall_ns(const struct clock_functions *f, clockid_t id)
{
	struct timespec_buffer ts;

	return raw_syscall(f->gettime_nr, id, (long)&ts, 0) ? INT64_MIN : timespec_ns(f, &ts);
}

bool is_between(clockid_t id, int64_t before, int64_t now, int64_t after)
{
	bool coarse = id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
	int64_t slack = coarse || vdso.host.vvar ? 0 : MEASURED_SLACK_NS;

	return before - slack <= now && now <= after + slack;
}

const char *under_test_emulated(void)
{
	return getenv("EMULATOR");
}

bool under_test_serves(clockid_t id)
{
	return id >= 0 && id < VDSO_CLOCKS && vdso.page->clock[id].mode != VDSO_MODE_SYSCALL;
}

char *under_test_area(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, (pages + 2) * page, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (vdso.x32 ? MAP_32BIT : 0), -1, 0);

	if (area == MAP_FAILED || mprotect(area + page, pages * page, PROT_READ | PROT_WRITE))
		bail_out("cannot get memory for the test: %s", strerror(errno));
	return area + page;
}
