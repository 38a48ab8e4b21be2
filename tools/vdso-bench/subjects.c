// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What there is to measure: every function that our image exports, for every
 * clock that the page serves.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

#include <asm/vdso/syscall.h>

#include "bench.h"

/*
 * The system calls, as functions of the same types. The raw instruction, because
 * the C library's syscall() adds work of its own.
 */
static int sys_clock_gettime(clockid_t id, void *ts)
{
	return (int)arch_vdso_syscall(__NR_clock_gettime, id, (long)ts, 0);
}

static int sys_clock_getres(clockid_t id, void *ts)
{
	return (int)arch_vdso_syscall(__NR_clock_getres, id, (long)ts, 0);
}

#ifdef __NR_clock_gettime64
static int sys_clock_gettime64(clockid_t id, void *ts)
{
	return (int)arch_vdso_syscall(__NR_clock_gettime64, id, (long)ts, 0);
}

static int sys_clock_getres_time64(clockid_t id, void *ts)
{
	return (int)arch_vdso_syscall(__NR_clock_getres_time64, id, (long)ts, 0);
}
#endif

static int sys_gettimeofday(void *tv, void *tz)
{
	return (int)arch_vdso_syscall(__NR_gettimeofday, (long)tv, (long)tz, 0);
}

static long sys_time(long *out)
{
	return arch_vdso_syscall(__NR_time, (long)out, 0, 0);
}

static int sys_getcpu(int32_t *cpu, int32_t *node, void *unused)
{
	return (int)arch_vdso_syscall(__NR_getcpu, (long)cpu, (long)node, (long)unused);
}

/**
 * struct bench_function - a function that images export
 * @name:	without prefix
 * @vdsotest:	what vdsotest calls it, or NULL
 * @form:	its arguments
 * @reads_time:	as in struct bench_subject
 * @wide:	likewise
 * @system_call: the same by system call
 */
struct bench_function {
	const char	*name;
	const char	*vdsotest;
	enum bench_form	form;
	bool		reads_time;
	bool		wide;
	bench_fn	system_call;
};

#define NATIVE_WIDE	(sizeof(long) == 8)

/* vdsotest knows neither time() nor functions with 64-bit times on 32-bit ABIs. */
static const struct bench_function functions[] = {
	{ "clock_gettime", "clock-gettime", FORM_CLOCK, true, NATIVE_WIDE,
	  (bench_fn)sys_clock_gettime },
#ifdef __NR_clock_gettime64
	{ "clock_gettime64", NULL, FORM_CLOCK, true, true, (bench_fn)sys_clock_gettime64 },
#endif
	{ "gettimeofday", "gettimeofday", FORM_TIMEVAL, true, NATIVE_WIDE,
	  (bench_fn)sys_gettimeofday },
	{ "time", NULL, FORM_TIME, true, NATIVE_WIDE, (bench_fn)sys_time },
	{ "clock_getres", "clock-getres", FORM_CLOCK, false, NATIVE_WIDE,
	  (bench_fn)sys_clock_getres },
#ifdef __NR_clock_getres_time64
	{ "clock_getres_time64", NULL, FORM_CLOCK, false, true,
	  (bench_fn)sys_clock_getres_time64 },
#endif
	{ "getcpu", "getcpu", FORM_GETCPU, false, false, (bench_fn)sys_getcpu },
};

static const struct { int id; const char *name, *vdsotest; } clocks[] = {
	{ CLOCK_REALTIME, "REALTIME", "realtime" },
	{ CLOCK_MONOTONIC, "MONOTONIC", "monotonic" },
	{ CLOCK_MONOTONIC_RAW, "MONOTONIC_RAW", "monotonic-raw" },
	{ CLOCK_BOOTTIME, "BOOTTIME", "boottime" },
	{ CLOCK_TAI, "TAI", "tai" },
	{ CLOCK_REALTIME_ALARM, "REALTIME_ALARM", NULL },
	{ CLOCK_BOOTTIME_ALARM, "BOOTTIME_ALARM", NULL },
	{ CLOCK_REALTIME_COARSE, "REALTIME_COARSE", "realtime-coarse" },
	{ CLOCK_MONOTONIC_COARSE, "MONOTONIC_COARSE", "monotonic-coarse" },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * The C library has the vDSO that the kernel gave this process in its list of
 * loaded objects, under its soname.
 */
static void *host_vdso(void)
{
	const char *soname = sizeof(long) == 8 ? "linux-vdso.so.1" : "linux-gate.so.1";
	void *host;

	if (!getauxval(AT_SYSINFO_EHDR))
		bench_die(1, "this process has no vDSO of the host to compare with: "
			  "boot the host without vdso=0");
	host = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
	if (host && dlsym(host, "__vdso_counter_calibration"))
		fprintf(stderr, "vdso-bench: this process's own vDSO, \"host\", is a uvdso image too: "
			"to compare with the kernel's, run without vdso-run\n");
	return host;
}

static bench_fn our_function(const struct vdso_image *image, const struct vdso_mapping *mapping,
			     const char *symbol)
{
	uint64_t offset = vdso_image_symbol(image, symbol);

	return offset ? (bench_fn)(uintptr_t)(mapping->base + offset) : NULL;
}

/* @clock: index in clocks[], or -1. */
static void add_subject(struct bench *bench, void *host, const struct bench_function *function,
			int clock)
{
	struct bench_subject *subject = &bench->subjects[bench->subject_count];
	bench_fn fn[BENCH_TIMENS + 1];
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "__vdso_%s", function->name);
	fn[BENCH_OURS] = our_function(&bench->image, &bench->plain, symbol);
	fn[BENCH_TIMENS] = our_function(&bench->image, &bench->timens, symbol);
	fn[BENCH_HOST] = host ? (bench_fn)dlsym(host, symbol) : NULL;
	fn[BENCH_SYSCALL] = function->system_call;
	if (!fn[BENCH_OURS])
		return;
	*subject = (struct bench_subject){
		.function = function->name,
		.clock_name = clock < 0 ? NULL : clocks[clock].name,
		.reads_time = function->reads_time,
		.hres = function->reads_time && function->form != FORM_TIME &&
			(clock < 0 || !strstr(clocks[clock].name, "COARSE")),
		.wide = function->wide,
	};
	if (function->vdsotest && (clock < 0 || clocks[clock].vdsotest))
		snprintf(subject->vdsotest, sizeof(subject->vdsotest), "%s%s%s",
			 function->vdsotest, clock < 0 ? "" : "-",
			 clock < 0 ? "" : clocks[clock].vdsotest);
	for (int v = 0; v <= BENCH_TIMENS; v++)
		subject->call[v] = (struct bench_call){
			.form = function->form, .fn = fn[v],
			.clock = clock < 0 ? 0 : clocks[clock].id,
		};
	bench->subject_count++;
}

static bool wanted_clock(const struct bench *bench, unsigned int clock)
{
	const struct vdso_clock *record = &bench->plain.pages->clock[clocks[clock].id];

	if (record->mode == VDSO_MODE_SYSCALL)
		return false;
	return !bench->options.clock || !strcasecmp(bench->options.clock, clocks[clock].name);
}

static void add_function(struct bench *bench, void *host, const struct bench_function *function)
{
	if (bench->options.function && strcmp(bench->options.function, function->name))
		return;
	if (function->form != FORM_CLOCK) {
		if (!bench->options.clock)
			add_subject(bench, host, function, -1);
		return;
	}
	for (unsigned int clock = 0; clock < COUNT(clocks); clock++)
		if (wanted_clock(bench, clock))
			add_subject(bench, host, function, (int)clock);
}

static void die_no_subject(const struct bench *bench)
{
	const struct bench_options *options = &bench->options;

	fprintf(stderr, "vdso-bench: %s serves no %s%s%s; there are:", bench->image_path,
		options->function ? options->function : "function",
		options->clock ? " for clock " : "", options->clock ? options->clock : "");
	for (unsigned int i = 0; i < COUNT(functions); i++)
		fprintf(stderr, " %s", functions[i].name);
	fprintf(stderr, "; clocks:");
	for (unsigned int i = 0; i < COUNT(clocks); i++)
		if (bench->plain.pages->clock[clocks[i].id].mode != VDSO_MODE_SYSCALL)
			fprintf(stderr, " %s", clocks[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

void bench_find_subjects(struct bench *bench)
{
	void *host = host_vdso();

	for (unsigned int i = 0; i < COUNT(functions); i++)
		add_function(bench, host, &functions[i]);
	if (!bench->subject_count)
		die_no_subject(bench);
}

const char *bench_subject_name(const struct bench_subject *subject, char name[64])
{
	snprintf(name, 64, "%s%s%s", subject->function, subject->clock_name ? " " : "",
		 subject->clock_name ? subject->clock_name : "");
	return name;
}
