// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vdso-bench: how fast an image's functions are against the host's own vDSO, the
 * system calls and bare counter reads. See Documentation/benchmark.md.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"
#include "host_cpu.h"

#define IMAGE_ABI	(sizeof(long) == 8 ? "x86_64" : "i386")

void bench_die(int status, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	fprintf(stderr, "vdso-bench: ");
	vfprintf(stderr, what, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(status);
}

void bench_progress(const char *scenario, unsigned int done, unsigned int all)
{
	static time_t last;
	time_t now;

	if (!isatty(STDERR_FILENO))
		return;
	now = time(NULL);
	if (now == last)
		return;
	if (last)	/* not in the first second: a short run needs no progress */
		fprintf(stderr, "\r%-12s %3u %% \r", scenario, 100 * done / all);
	last = now;
}

void bench_pin(const struct bench *bench, unsigned int index)
{
	cpu_set_t set;

	if (!bench->cpu_count)
		return;
	CPU_ZERO(&set);
	CPU_SET(bench->cpus[index % bench->cpu_count], &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* The last CPU first: the first one often has more interrupts. */
static void find_cpus(struct bench *bench)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		bench_die(1, "the CPUs that may be used are not known: %s", strerror(errno));
	for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
		if (CPU_ISSET(cpu, &set))
			bench->cpus[bench->cpu_count++] = cpu;
}

void bench_refresh(struct bench *bench)
{
	/* vdso_update() takes one writer at a time. */
	static pthread_mutex_t writer = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&writer);
	host_clock_snapshot(&bench->host, &bench->tk);
	if (bench->options.counter) {
		bench->tk.real.mode = bench->options.counter;
		bench->tk.raw.mode = bench->options.counter;
	}
	host_cpu_copy_pages(bench->tk.real.mode, bench->plain.pages);
	host_cpu_copy_pages(bench->tk.real.mode, bench->timens.pages);
	vdso_update(bench->plain.pages, &bench->tk);
	pthread_mutex_unlock(&writer);
}

/* Beside this program as built, or as installed. */
static void find_image(struct bench *bench)
{
	static const char *const places[] = { "%s/../%s/vdso.so", "%s/../lib/uvdso/%s/vdso.so" };
	char own[2048];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (bench->options.image) {
		snprintf(bench->image_path, sizeof(bench->image_path), "%s", bench->options.image);
		return;
	}
	if (length < 0)
		bench_die(1, "/proc/self/exe: %s: give the image by --image", strerror(errno));
	own[length] = 0;
	*strrchr(own, '/') = 0;
	for (unsigned int i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(bench->image_path, sizeof(bench->image_path), places[i], own, IMAGE_ABI);
		if (!access(bench->image_path, R_OK))
			return;
	}
	bench_die(1, "no %s image beside this program: build it (make images) or give it by "
		  "--image", IMAGE_ABI);
}

static void map_image(struct bench *bench, struct vdso_mapping *mapping)
{
	if (vdso_image_map(&bench->image, mapping, 0))
		bench_die(1, "%s can't be mapped: %s", bench->image_path, strerror(errno));
}

static void open_image(struct bench *bench)
{
	char why[512];

	find_image(bench);
	if (vdso_image_open(&bench->image, bench->image_path, why, sizeof(why)))
		bench_die(2, "%s", why);
	if (!vdso_image_symbol(&bench->image, "__vdso_clock_gettime") ||
	    (bench->image.class == 2) != (sizeof(long) == 8))
		bench_die(2, "%s is no %s image, which this program measures", bench->image_path,
			  IMAGE_ABI);
	map_image(bench, &bench->plain);
	map_image(bench, &bench->timens);
}

/* The namespace's mapping has its own first page and the plain one's as the second. */
static void fill_pages(struct bench *bench)
{
	const struct vdso_offset offset = {
		.sec = BENCH_TIMENS_SEC, .nsec = BENCH_TIMENS_NSEC,
	};
	char *second = (char *)bench->timens.pages + bench->image.page_size;
	uint32_t arg, source = host_cpu_number_source(&arg);

	vdso_set_cpu(bench->plain.pages, source, arg);
	bench_refresh(bench);
	vdso_fill_timens(bench->timens.pages, bench->plain.pages, &offset, &offset);
	/* Old size 0 of a shared mapping: the same pages a second time (mremap(2)). */
	if (mremap(bench->plain.pages, 0, bench->image.page_size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   second) == MAP_FAILED)
		bench_die(1, "the page of a time namespace can't be mapped: %s", strerror(errno));
}

static void open_host(struct bench *bench)
{
	char why[512];

	if (host_clock_open(&bench->host, why, sizeof(why)))
		bench_die(1, "%s", why);
	host_clock_snapshot(&bench->host, &bench->tk);
	if (bench->tk.raw.mode == VDSO_MODE_SYSCALL || !bench->tk.raw.mult)
		bench_die(1, "the host's clock source is no counter that programs can read, so the "
			  "image can't serve its clocks here: see /sys/devices/system/clocksource");
	if (bench->options.counter && !host_cpu_has_counter(bench->tk.raw.mode))
		bench_die(1, "--counter: the host's clocks go by %s, not by the TSC: leave it out",
			  host_cpu_counter_name(bench->tk.raw.mode));
	bench->host_page = bench->host.vvar;
	bench->ns_per_cycle = host_cpu_ns_per_cycle(&bench->tk.raw);
}

static void run(struct bench *bench)
{
	static void (*const scenarios[BENCH_SCENARIOS])(struct bench *) = {
		[BENCH_COUNTER] = bench_counter,
		[BENCH_HOT] = bench_hot,
		[BENCH_FLUSHED] = bench_flushed,
		[BENCH_THREADS] = bench_threads,
		[BENCH_UPDATED] = bench_updated,
		[BENCH_PAGE] = bench_page,
		[BENCH_CALIBRATION] = bench_calibration,
	};

	for (int i = 0; i < BENCH_SCENARIOS; i++)
		if (bench->options.scenarios & 1u << i)
			scenarios[i](bench);
}

static void print_results(struct bench *bench, struct bench_output *json)
{
	if (bench->options.vdsotest)
		bench_report_vdsotest(bench);
	else if (json->file != stdout)
		bench_report(bench);
	if (!json->file)
		return;
	bench_json(bench, json->file);
	bench_output_commit(json);
}

int main(int argc, char **argv)
{
	static struct bench bench;
	struct bench_output json = { 0 }, plot = { 0 };

	bench_parse(&bench.options, argc, argv);
	if (bench.options.json)
		bench_output_open(&json, bench.options.json);
	if (bench.options.plot)
		bench_output_open(&plot, bench.options.plot);
	find_cpus(&bench);
	open_image(&bench);
	open_host(&bench);
	fill_pages(&bench);
	bench_pin(&bench, 0);
	bench_find_subjects(&bench);
	bench_check(&bench);
	run(&bench);
	if (plot.file) {
		bench_plot(&bench, &plot);
		bench_output_commit(&plot);
	}
	print_results(&bench, &json);
	if (fflush(stdout))
		bench_die(1, "standard output: %s", strerror(errno));
	return 0;
}
