// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The latency distribution, drawn by gnuplot: what share of the calls took how long
 * at most. A sample is a handful of calls, because the counter of some machines
 * advances in steps of 10 ns: single calls would all seem to take one of three times.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define SAMPLES		4000
#define CALLS_PER_SAMPLE	16
/* More points than this on a curve can't be seen. */
#define POINTS		400
#define BARE_CURVE	(BENCH_TIMENS + 1)
#define CURVES		(BARE_CURVE + 1)

static const char *const curve_title[CURVES] = {
	"our image", "host vDSO", "system call", "our image in a time namespace",
	"bare lfence; rdtsc",
};

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static bool has_curve(const struct bench_subject *subject, int curve)
{
	return curve == BARE_CURVE || subject->call[curve].fn;
}

static float take_sample(const struct bench *bench, const struct bench_subject *subject, int curve)
{
	uint64_t cycles = curve == BARE_CURVE ?
		bench_lfence_rdtsc(CALLS_PER_SAMPLE) :
		bench_batch(&subject->call[curve], CALLS_PER_SAMPLE);

	return (float)(cycles * bench->ns_per_cycle / CALLS_PER_SAMPLE);
}

/* Fills one sorted array for each curve; one sample of each in turn. */
static void measure(struct bench *bench, const struct bench_subject *subject,
		    float ns[CURVES][SAMPLES])
{
	for (int i = 0; i < SAMPLES; i++) {
		if (i % 200 == 0)
			bench_refresh(bench);
		bench_progress("plot", (unsigned int)i, SAMPLES);
		for (int curve = 0; curve < CURVES; curve++)
			if (has_curve(subject, curve))
				ns[curve][i] = take_sample(bench, subject, curve);
	}
	for (int curve = 0; curve < CURVES; curve++)
		qsort(ns[curve], SAMPLES, sizeof(ns[curve][0]), compare_floats);
}

static void write_curve(FILE *to, int curve, const float *sorted)
{
	fprintf(to, "$curve%d << END\n", curve);
	for (int i = 0; i <= POINTS; i++) {
		/* The slowest calls are rare: the points lie closer to each other there. */
		double share = 1 - (1 - (double)i / POINTS) * (1 - (double)i / POINTS);
		int at = (int)(share * (SAMPLES - 1));

		fprintf(to, "%.2f %.5f\n", sorted[at], 100 * share);
	}
	fprintf(to, "END\n");
}

static void write_script(const struct bench_subject *subject, const char *terminal,
			 float ns[CURVES][SAMPLES], FILE *to)
{
	const char *separator = "plot ";
	char name[64];

	for (int curve = 0; curve < CURVES; curve++)
		if (has_curve(subject, curve))
			write_curve(to, curve, ns[curve]);
	fprintf(to, "set terminal %s size 900,540\n", terminal);
	fprintf(to, "set title \"%s: latency distribution\" noenhanced\n",
		bench_subject_name(subject, name));
	fprintf(to, "set xlabel \"ns per call, means of %d\"\n"
		"set ylabel \"samples that took at most this long, %%\"\n"
		"set logscale x\nset xrange [*:%.0f]\nset yrange [0:100]\n"
		"set grid\nset key center\n", CALLS_PER_SAMPLE,
		2 * (double)ns[BENCH_SYSCALL][SAMPLES * 99 / 100]);
	for (int curve = 0; curve < CURVES; curve++) {
		if (!has_curve(subject, curve))
			continue;
		fprintf(to, "%s$curve%d with lines linewidth 2 title \"%s\"", separator, curve,
			curve_title[curve]);
		separator = ", ";
	}
	fputc('\n', to);
}

/* Runs gnuplot with its output going to @file. Returns its process, and the pipe to its input. */
static pid_t start_gnuplot(FILE *file, FILE **input)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		bench_die(1, "no pipe for gnuplot: %s", strerror(errno));
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		bench_die(1, "no process for gnuplot: %s", strerror(errno));
	if (!pid) {
		dup2(ends[0], STDIN_FILENO);
		dup2(fileno(file), STDOUT_FILENO);
		close(ends[1]);
		execlp("gnuplot", "gnuplot", "-", NULL);
		_exit(127);
	}
	close(ends[0]);
	*input = fdopen(ends[1], "w");
	if (!*input)
		bench_die(1, "no memory for gnuplot's input");
	return pid;
}

static const struct bench_subject *subject_to_plot(const struct bench *bench)
{
	for (unsigned int i = 0; i < bench->subject_count; i++)
		if (bench->subjects[i].call[0].clock == CLOCK_MONOTONIC &&
		    bench->subjects[i].reads_time)
			return &bench->subjects[i];
	return &bench->subjects[0];
}

void bench_plot(struct bench *bench, struct bench_output *output)
{
	const struct bench_subject *subject = subject_to_plot(bench);
	const char *terminal = strstr(output->path, ".svg") ? "svg" : "pngcairo";
	float (*ns)[SAMPLES] = calloc(CURVES, sizeof(*ns));
	FILE *input;
	pid_t pid;
	int status;

	if (!ns)
		bench_die(1, "not enough memory for the plot");
	measure(bench, subject, ns);
	signal(SIGPIPE, SIG_IGN);	/* gnuplot's exit status says it better */
	pid = start_gnuplot(output->file, &input);
	write_script(subject, terminal, ns, input);
	fclose(input);
	free(ns);
	if (waitpid(pid, &status, 0) != pid || status) {
		bool missing = WIFEXITED(status) && WEXITSTATUS(status) == 127;

		bench_die(1, "%s was not drawn: %s", output->path, missing ?
			  "gnuplot is not installed (package gnuplot-nox)" : "gnuplot failed");
	}
}
