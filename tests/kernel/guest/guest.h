/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the programs for the guest share: the vDSO that the kernel mapped into this very
 * process, its functions, and the raw system calls that they stand for.
 *
 * Arguments, the same for every program: the words in struct guest_machine's comment.
 */
#ifndef TESTS_KERNEL_GUEST_H
#define TESTS_KERNEL_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <linux/posix_types.h>
#include <sys/syscall.h>

#define SECOND_NS	1000000000LL

/* Not in every C library's header. */
#ifndef CLOCK_TAI
#define CLOCK_TAI	11
#endif

/* Which ABIs have the functions that not all have. */
#ifdef __NR_time
#define NR_TIME		__NR_time
#define HAS_TIME	true
#else
#define NR_TIME		(-1)
#define HAS_TIME	false
#endif
#if defined(__x86_64__) || defined(__i386__)
#define HAS_GETCPU	true
#else
#define HAS_GETCPU	false
#endif

/* A number in the old structures of this ABI; x32 has 64-bit ones. */
typedef __kernel_long_t guest_long;

/**
 * struct clock_pair - the functions for one kind of struct timespec
 * @gettime_name:	the exported name
 * @getres_name:	likewise
 * @gettime_nr:		number of the system call that does the same
 * @getres_nr:		likewise
 * @narrow:		struct timespec is 2 * 32 bits
 * @gettime:		the function; NULL: not exported
 * @getres:		likewise
 */
struct clock_pair {
	const char	*gettime_name, *getres_name;
	long		gettime_nr, getres_nr;
	bool		narrow;
	int		(*gettime)(clockid_t id, void *ts);
	int		(*getres)(clockid_t id, void *ts);
};

#if defined(__i386__) || defined(__arm__)
#define CLOCK_PAIRS	2	/* for the old and for the 64-bit struct timespec */
#else
#define CLOCK_PAIRS	1
#endif

/**
 * struct guest_vdso - the functions that the mapped image exports
 * @base:		where the image begins; NULL: the kernel mapped none
 * @pairs:		the ABI's own pair first
 * @gettimeofday:	NULL if it is not exported, as all further
 * @time:		likewise
 * @getcpu:		likewise
 * @calibration:	likewise
 */
struct guest_vdso {
	const char		*base;
	struct clock_pair	pairs[CLOCK_PAIRS];
	int			(*gettimeofday)(void *tv, void *tz);
	guest_long		(*time)(guest_long *out);
	int			(*getcpu)(unsigned int *cpu, unsigned int *node, void *unused);
	int			(*calibration)(void *calibration);
};

extern struct guest_vdso vdso;

/**
 * struct guest_machine - what the host says about the machine and its kernel
 * @uvdso:	"uvdso": the kernel has our vDSO; without it, "stock", the kernel's own
 * @counter:	"counter": programs can read the counter of the current clock source
 * @seconds:	"-t N": how long to repeat what shows more the longer it takes
 */
struct guest_machine {
	bool	uvdso;
	bool	counter;
	double	seconds;
};

extern struct guest_machine machine;

/**
 * guest_open() - read the arguments, find the vDSO
 */
void guest_open(int argc, char **argv);

/**
 * guest_symbol() - address of what the mapped image exports
 *
 * Return: NULL if it has no such symbol.
 */
void *guest_symbol(const char *name);

/**
 * raw_syscall() - the system call of this ABI
 *
 * Return: a value or a negative errno; errno is kept.
 */
long raw_syscall(long nr, long a, long b, long c);

/**
 * struct guest_clock - a clock that programs read
 * @id:		its id
 * @name:	for people
 * @coarse:	it stands still between two ticks
 * @alarm:	the system call has it only where a real-time clock can wake the machine
 */
struct guest_clock {
	clockid_t	id;
	const char	*name;
	bool		coarse, alarm;
};

#define GUEST_CLOCKS	9
extern const struct guest_clock guest_clocks[GUEST_CLOCKS];

/**
 * has_clock() - whether the system call knows a clock on this machine
 */
bool has_clock(const struct guest_clock *clock);

/* Room for either kind of struct timespec, and to see whether too much was written. */
struct timespec_buffer {
	_Alignas(16) unsigned char byte[32];
};

/**
 * timespec_size() - size of the struct timespec of a pair
 */
size_t timespec_size(const struct clock_pair *pair);

/**
 * timespec_ns() - a struct timespec of a pair as one number
 * @ts:	at any alignment
 */
int64_t timespec_ns(const struct clock_pair *pair, const void *ts);

/**
 * vdso_ns() - read a clock through the vDSO
 *
 * Return: ns; INT64_MIN if the function failed, or its nanoseconds are not those of a
 * second.
 */
int64_t vdso_ns(const struct clock_pair *pair, clockid_t id);

/**
 * syscall_ns() - read a clock by system call
 *
 * Return: ns; INT64_MIN if it failed.
 */
int64_t syscall_ns(const struct clock_pair *pair, clockid_t id);

/**
 * between() - one reading through the vDSO between two system calls
 *
 * Return: whether it was not before the first and not after the second; says what it saw
 * if not.
 */
bool between(const struct clock_pair *pair, const struct guest_clock *clock);

/**
 * now_seconds() - CLOCK_MONOTONIC_RAW by system call, which nobody sets or steers
 */
double now_seconds(void);

#endif /* TESTS_KERNEL_GUEST_H */
