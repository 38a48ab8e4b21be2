/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the parts of vdso-run share.
 */
#ifndef VDSO_RUN_RUN_H
#define VDSO_RUN_RUN_H

#include <semaphore.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>
#include "host_clock.h"
#include "image.h"
#include "options.h"
#include "segment.h"

/* The ABIs of a 64-bit x86 kernel. */
enum abi {
	ABI_X86_64,
	ABI_X32,
	ABI_I386,
	ABI_COUNT,
	ABI_FOREIGN = ABI_COUNT,
};

/**
 * struct run_image - one ABI's image
 * @present:	there is one
 * @path:	where it came from
 * @image:	its checked content
 * @segment:	what programs map
 */
struct run_image {
	bool			present;
	char			*path;
	struct vdso_image	image;
	struct segment		segment;
};

/**
 * struct data_page - a page that the clock thread brings up to date
 * @next:	the next one, behind run's own: those of time namespaces
 * @segment:	what programs map
 * @monotonic:	offset of its namespace
 * @boottime:	the same
 * @live:	the clock thread's, until @decided: it is brought up to date
 * @decided:	@live is what it will be from now on
 */
struct data_page {
	struct data_page	*next;
	struct segment		segment;
	struct vdso_offset	monotonic;
	struct vdso_offset	boottime;
	bool			live;
	sem_t			decided;
};

/**
 * struct run - everything about this run
 * @options:	what the user asked for
 * @host:	the host's clocks; the clock thread's once it runs
 * @images:	by ABI
 * @clock_pages:	programs are given the hypervisor's clock pages (clock_pages.h)
 * @data:	the data page
 * @decided:	the newest data page that is live or will never be; the clock thread's
 * @published:	what the data pages hold; the clock thread's once it runs
 * @main_pid:	the program that the user started, 0: it has gone
 * @tracing:	PTRACE_O_* that every program is traced with
 * @begin:	when the supervisor started, CLOCK_MONOTONIC
 * @served:	how many programs got our image, and how many did not
 * @not_served:	the same
 */
struct run {
	struct options		options;
	struct host_clock	host;
	struct run_image	images[ABI_COUNT];
	bool			clock_pages;
	struct data_page	data;
	struct data_page	*decided;
	struct vdso_timekeeper	published;
	pid_t			main_pid;
	long			tracing;
	struct timespec		begin;
	unsigned int		served;
	unsigned int		not_served;
};

extern const char *const abi_names[ABI_COUNT];

/**
 * report() - one line for the user, on standard error while it is there
 * @format:	as printf(), without a newline
 */
__attribute__((__format__(__printf__, 1, 2)))
void report(const char *format, ...);

/**
 * report_at_exit() - the closing lines of --verbose and --count
 * @run:	the run
 */
void report_at_exit(const struct run *run);

/* launch.c: starts the supervisor for this process; 0, or -1 and a sentence. */
int launch_supervisor(struct run *run, char *why, size_t why_size);

/**
 * supervise() - follow the program and all that it starts until the last is gone
 * @run:	the run; this process has seized @run->main_pid
 */
void supervise(struct run *run);

#endif /* VDSO_RUN_RUN_H */
