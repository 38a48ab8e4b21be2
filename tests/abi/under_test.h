/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The image under test, mapped into the test's own process, with a page that
 * tells the host's time. What the tests compare it with is the raw system call.
 *
 * The ABI is the end of the program's name: results-i386 tests the i386 image. A
 * 64-bit program can test the x32 image as well: registers and structures are the
 * same, as long as the stack and all that pointers point to lie below 4 GiB. So
 * programs named -x32 are linked to low addresses (-no-pie), and
 * under_test_run() gives them a low stack.
 */
#ifndef TESTS_ABI_UNDER_TEST_H
#define TESTS_ABI_UNDER_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <vdso/layout.h>
#include <vdso/update.h>

#include "host_clock.h"
#include "image.h"

/**
 * struct clock_functions - one pair of functions for clocks
 * @gettime_name:	the exported name
 * @getres_name:	likewise
 * @gettime_nr:		number of the system call that does the same
 * @getres_nr:		likewise
 * @narrow:		the old struct timespec of 32-bit ABIs: 2 * 32 bits
 * @gettime:		the image's function; a struct timespec of either kind
 * @getres:		likewise
 */
struct clock_functions {
	const char	*gettime_name, *getres_name;
	long		gettime_nr, getres_nr;
	bool		narrow;
	int		(*gettime)(clockid_t id, void *ts);
	int		(*getres)(clockid_t id, void *ts);
};

/* A pair for the ABI's own timespec; 32-bit ABIs have one for the 64-bit timespec too. */
#ifdef __NR_clock_gettime64
#define CLOCK_FUNCTIONS	2
#else
#define CLOCK_FUNCTIONS	1
#endif

/**
 * struct under_test - the image and what belongs to it
 * @abi:		its name
 * @x32:		it is the x32 image in a 64-bit program
 * @clocks:		its functions for clocks
 * @gettimeofday:	its function; NULL if the ABI has none, as the next two
 * @time:		likewise
 * @getcpu:		likewise
 * @page:		the data page
 * @image:		the file
 * @mapping:		where it is mapped
 * @host:		where the time comes from
 * @tk:			the last snapshot of it
 */
struct under_test {
	const char		*abi;
	bool			x32;
	struct clock_functions	clocks[CLOCK_FUNCTIONS];
	int			(*gettimeofday)(void *tv, void *tz);
	long			(*time)(long *out);
	int			(*getcpu)(unsigned int *cpu, unsigned int *node, void *unused);
	struct vdso_page	*page;
	struct vdso_image	image;
	struct vdso_mapping	mapping;
	struct host_clock	host;
	struct vdso_timekeeper	tk;
};

extern struct under_test vdso;

/**
 * under_test_run() - map the image, fill its page once and run the test
 * @body:	the test
 *
 * Without an image, or without the host's time, nothing can be tested: says so
 * and ends the program.
 */
void under_test_run(void (*body)(void));

/**
 * under_test_open_image() - only the first part: find and check the image
 */
void under_test_open_image(void);

/**
 * under_test_update() - bring the page up to date
 *
 * One thread at a time.
 */
void under_test_update(void);

/**
 * raw_syscall() - the system call of this program's own ABI
 *
 * Return: a value or a negative errno. errno is kept.
 */
long raw_syscall(long nr, long a, long b, long c);

/**
 * abi_syscall() - the system call of the image's ABI
 *
 * Differs from raw_syscall() for x32, which many kernels don't have.
 */
long abi_syscall(long nr, long a, long b, long c);

/**
 * struct timespec_buffer - room for either kind of struct timespec
 * @byte:	enough to see whether too much was written
 */
struct timespec_buffer {
	_Alignas(16) unsigned char byte[32];
};

/**
 * timespec_ns() - a struct timespec as one number
 * @f:	the functions that filled it
 * @ts:	at any alignment
 *
 * Return: ns, negative before 1970.
 */
int64_t timespec_ns(const struct clock_functions *f, const void *ts);

/**
 * timespec_size() - size of the struct timespec of a pair of functions
 */
size_t timespec_size(const struct clock_functions *f);

/**
 * image_ns() - read a clock through the image
 *
 * Where an x32 image falls back to a call that this kernel does not have, the
 * 64-bit one stands in.
 *
 * Return: ns; INT64_MIN if the function did not return 0, or nanoseconds of a second
 * or more.
 */
int64_t image_ns(const struct clock_functions *f, clockid_t id);

/**
 * syscall_ns() - read a clock by system call
 *
 * Return: ns; INT64_MIN if the system call did not return 0.
 */
int64_t syscall_ns(const struct clock_functions *f, clockid_t id);

/**
 * MEASURED_SLACK_NS - how far a line that was measured may be from the kernel's
 *
 * Only where the kernel's own parameters are not to be had (host_calibrate.c): a page
 * with those has no slack at all.
 */
#define MEASURED_SLACK_NS	50000

/**
 * is_between() - whether a clock's time lies between two of the system call
 * @id:		the clock; coarse ones have no slack
 */
bool is_between(clockid_t id, int64_t before, int64_t now, int64_t after);

/**
 * under_test_emulated() - which emulator runs this program, NULL: none
 *
 * tests/lib/emulate says it.
 */
const char *under_test_emulated(void);

/**
 * under_test_serves() - whether the page has a time for a clock
 */
bool under_test_serves(clockid_t id);

/**
 * under_test_area() - memory that the image's pointers reach
 * @pages:	how many pages
 *
 * Return: readable and writable zeroed memory, between pages without access.
 */
char *under_test_area(size_t pages);

#endif /* TESTS_ABI_UNDER_TEST_H */
