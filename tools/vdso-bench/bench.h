/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * vdso-bench: what its parts share.
 *
 * A subject is one function, with a clock id where it takes one. It comes in
 * variants: on our image, on the host's vDSO, as a system call, … A scenario
 * measures variants of subjects, one after the other in every round, and makes
 * one row of results for each subject.
 */
#ifndef VDSO_BENCH_H
#define VDSO_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <vdso/update.h>

#include "host_clock.h"
#include "image.h"

/**
 * enum bench_form - how a function is called
 * @FORM_CLOCK:		int f(clockid_t, struct timespec *)
 * @FORM_TIMEVAL:	int f(struct timeval *, struct timezone *)
 * @FORM_TIME:		time_t f(time_t *)
 * @FORM_GETCPU:	int f(unsigned *, unsigned *, void *)
 */
enum bench_form { FORM_CLOCK, FORM_TIMEVAL, FORM_TIME, FORM_GETCPU };

/* Enough for what any of the functions stores. */
union bench_result {
	int64_t	wide[2];
	int32_t	narrow[2];
	long	word[2];
};

typedef void (*bench_fn)(void);

/**
 * struct bench_call - something that can be called again and again
 * @form:	its arguments
 * @clock:	the first one of FORM_CLOCK
 * @fn:		the function
 */
struct bench_call {
	enum bench_form	form;
	int		clock;
	bench_fn	fn;
};

/* What is measured of a subject. BENCH_BARE is the counter read that it can't do without. */
enum bench_variant {
	BENCH_OURS,
	BENCH_HOST,
	BENCH_SYSCALL,
	BENCH_TIMENS,
	BENCH_BARE,
	BENCH_QUIET,
	BENCH_VARIANTS,
};

enum bench_scenario {
	BENCH_COUNTER,
	BENCH_HOT,
	BENCH_FLUSHED,
	BENCH_THREADS,
	BENCH_UPDATED,
	BENCH_PAGE,
	BENCH_CALIBRATION,
	BENCH_SCENARIOS,
};

/**
 * struct bench_subject - a function, for one clock id
 * @function:	name without prefix
 * @clock_name:	name of the clock without CLOCK_, or NULL
 * @vdsotest:	name in the output of vdsotest, or NULL if it does not know it
 * @reads_time:	takes a clock's time (not its resolution, not the CPU number)
 * @hres:	reads the counter
 * @wide:	stores 64-bit numbers whatever the ABI
 * @call:	by variant; fn is NULL where there is no such variant
 */
struct bench_subject {
	const char		*function;
	const char		*clock_name;
	char			vdsotest[48];
	bool			reads_time;
	bool			hres;
	bool			wide;
	struct bench_call	call[BENCH_TIMENS + 1];
};

/**
 * struct bench_stats - of one variant, ns per call
 * @samples:	how many samples there were; 0: not measured
 */
struct bench_stats {
	double		min;
	double		median;
	double		p99;
	double		max;
	unsigned int	samples;
};

/* A ratio is the median of the ratios within each round; 0: there is none. */
enum bench_ratio { RATIO_HOST, RATIO_BARE, RATIO_SYSCALL, RATIO_TIMENS, RATIO_QUIET, BENCH_RATIOS };

/**
 * struct bench_row - a result
 * @scenario:	what was measured
 * @subject:	of which function; NULL: @name says
 * @name:	of what is no function of the image
 * @note:	a remark, may be empty
 * @stats:	by variant
 * @ratio:	how many times slower than ours: host, system call; how many times
 *		slower ours is than: the bare counter read, the quiet page; or in
 *		a time namespace than outside
 */
struct bench_row {
	enum bench_scenario		scenario;
	const struct bench_subject	*subject;
	const char			*name;
	char				note[64];
	struct bench_stats		stats[BENCH_VARIANTS];
	double				ratio[BENCH_RATIOS];
};

/**
 * struct bench_options - the command line
 * @image:	file, NULL: the one that was built with this program
 * @counter:	a VDSO_MODE_*, 0: the cheaper one
 * @rounds:	how often everything is measured
 * @threads:	of the threads scenario; 0: one for each CPU
 * @scenarios:	bit set
 * @function:	only this function, or NULL
 * @clock:	only this clock, or NULL
 * @json:	file, "-": standard output, or NULL
 * @plot:	file or NULL
 * @vdsotest:	print the lines that vdsotest prints
 */
struct bench_options {
	const char	*image;
	uint32_t	counter;
	unsigned int	rounds;
	unsigned int	threads;
	unsigned int	scenarios;
	const char	*function;
	const char	*clock;
	const char	*json;
	const char	*plot;
	bool		vdsotest;
};

#define BENCH_MAX_SUBJECTS	48
#define BENCH_MAX_ROWS		256

/**
 * struct bench - everything
 * @image_path:		the file that @plain was mapped from
 * @plain:		our image with the page of a process outside of time namespaces
 * @timens:		our image with a namespace's page in front of the same page
 * @host_page:		the host's [vvar], or NULL
 * @ns_per_cycle:	of the time stamp counter
 * @cpus:		CPUs that this process may use, the first one runs the benchmark
 */
struct bench {
	struct bench_options	options;
	char			image_path[4096];
	struct vdso_image	image;
	struct vdso_mapping	plain;
	struct vdso_mapping	timens;
	const char		*host_page;
	struct host_clock	host;
	struct vdso_timekeeper	tk;
	double			ns_per_cycle;
	int			cpus[1024];
	unsigned int		cpu_count;
	struct bench_subject	subjects[BENCH_MAX_SUBJECTS];
	unsigned int		subject_count;
	struct bench_row	rows[BENCH_MAX_ROWS];
	unsigned int		row_count;
};

/* The offsets of the benchmark's time namespace. */
#define BENCH_TIMENS_SEC	86400
#define BENCH_TIMENS_NSEC	500000000

/* Ends the program with one sentence and exit status @status. */
__attribute__((format(printf, 2, 3), noreturn))
void bench_die(int status, const char *what, ...);
/* How far a scenario is, for people who wait at a terminal. */
void bench_progress(const char *scenario, unsigned int done, unsigned int all);
/* Brings the page up to date. Any thread may call it. */
void bench_refresh(struct bench *bench);
/* Confines the calling thread to CPU @index of bench->cpus (modulo their number). */
void bench_pin(const struct bench *bench, unsigned int index);

/* options.c */
void bench_parse(struct bench_options *options, int argc, char **argv);
extern const char *const bench_scenario_name[BENCH_SCENARIOS];

/* subjects.c */
void bench_find_subjects(struct bench *bench);

/* calls.c: each takes how many calls to make and returns the cycles they took. */
uint64_t bench_batch(const struct bench_call *call, unsigned int n);
uint64_t bench_once(const struct bench_call *call, union bench_result *result);
uint64_t bench_rdtsc(unsigned int n);
uint64_t bench_lfence_rdtsc(unsigned int n);
uint64_t bench_rdtscp(unsigned int n);

/**
 * struct bench_samples - what a scenario measured of one subject
 * @rounds:	length of each array
 * @ns:		by variant: an array, or NULL
 */
struct bench_samples {
	unsigned int	rounds;
	float		*ns[BENCH_VARIANTS];
};

/* stats.c */
void bench_samples_init(struct bench_samples *samples, unsigned int rounds, unsigned int variants);
void bench_samples_free(struct bench_samples *samples);
struct bench_stats bench_stats(const float *ns, unsigned int count);
double bench_median_ratio(const float *a, const float *b, unsigned int count);
struct bench_row *bench_add_row(struct bench *bench, enum bench_scenario scenario,
				const struct bench_subject *subject, const char *name,
				const struct bench_samples *samples);

/* check.c */
void bench_check(struct bench *bench);

/* The scenarios. */
void bench_counter(struct bench *bench);
void bench_hot(struct bench *bench);
void bench_calibration(struct bench *bench);
void bench_flushed(struct bench *bench);
void bench_threads(struct bench *bench);
void bench_updated(struct bench *bench);
void bench_page(struct bench *bench);

/* output.c: a file that appears complete or not at all. */
struct bench_output {
	const char	*path;
	char		temporary[4096];
	FILE		*file;
};
void bench_output_open(struct bench_output *output, const char *path);
void bench_output_commit(struct bench_output *output);

/* report.c, json.c, plot.c */
void bench_report(const struct bench *bench);
void bench_report_vdsotest(const struct bench *bench);
void bench_json(const struct bench *bench, FILE *out);
const char *bench_subject_name(const struct bench_subject *subject, char name[64]);
void bench_plot(struct bench *bench, struct bench_output *output);

#endif /* VDSO_BENCH_H */
