/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the tests of a living page share: the clocks, a writer that never rests,
 * and the two questions that a reading can be asked.
 */
#ifndef TESTS_LIFE_LIFE_H
#define TESTS_LIFE_LIFE_H

#include <pthread.h>

#include "../abi/under_test.h"

/**
 * struct life_clock - a clock that pages serve
 * @id:		its id
 * @name:	for people
 * @coarse:	it stands still between two updates of the page
 */
struct life_clock {
	clockid_t	id;
	const char	*name;
	bool		coarse;
};

#define LIFE_CLOCKS	9
extern const struct life_clock life_clocks[LIFE_CLOCKS];

/**
 * life_writer_start() - update the page from a thread of its own
 * @update:	what brings the page up to date
 * @pause_us:	sleep between two updates; 0: as fast as possible
 *
 * All signals but SIGILL are blocked in the thread.
 */
void life_writer_start(void (*update)(void), unsigned int pause_us);

/**
 * life_writer_stop() - end that thread
 *
 * Return: how many updates there were.
 */
unsigned long life_writer_stop(void);

/**
 * life_writer_updates() - how many updates there have been so far
 */
unsigned long life_writer_updates(void);

/**
 * life_thread_start() - a thread that may call the image under test
 * @body:	what it does
 * @arg:	its argument
 * @cpu:	the CPU that it is bound to, if there is such a one; -1: any
 *
 * Return: for life_thread_join().
 */
pthread_t life_thread_start(void *(*body)(void *), void *arg, int cpu);

/**
 * life_update_flipping() - one update that changes all that may change
 *
 * The counter clocks' bases move along their own lines to this very moment, the
 * way to read the counter changes from update to update, and once in a while
 * there is none. None of this may be seen in the time that readers get.
 */
void life_update_flipping(void);

/**
 * life_seconds() - how long to go on
 * @full:	seconds on a machine that is not emulated
 */
double life_seconds(double full);

/**
 * life_between() - one reading between two system calls
 * @f:		functions to use
 * @id:		a clock that is not coarse
 *
 * Return: whether the image's time was not before the first and not after the
 * second; says what it saw if not.
 */
bool life_between(const struct clock_functions *f, clockid_t id);

/**
 * life_seconds_since() - time passed
 * @start_ns:	an earlier syscall_ns() of CLOCK_MONOTONIC
 */
double life_seconds_since(int64_t start_ns);

/**
 * life_now_ns() - CLOCK_MONOTONIC by system call
 */
int64_t life_now_ns(void);

#endif /* TESTS_LIFE_LIFE_H */
