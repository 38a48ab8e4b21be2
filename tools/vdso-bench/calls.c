// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The timed loops. All variants of a subject go through the same loop and the
 * same call instruction, so that alignment and branch prediction treat them alike.
 */
#include <linux/counter_calibration.h>

#include "bench.h"

static __thread union bench_result scratch;

static __attribute__((noinline)) uint64_t
batch_clock(const struct bench_call *call, unsigned int n, union bench_result *to)
{
	int (*fn)(clockid_t, void *) = (int (*)(clockid_t, void *))call->fn;
	uint64_t start = counter_read_ordered();

	for (unsigned int i = 0; i < n; i++)
		fn(call->clock, to);
	return counter_read_ordered() - start;
}

static __attribute__((noinline)) uint64_t
batch_timeval(const struct bench_call *call, unsigned int n, union bench_result *to)
{
	int (*fn)(void *, void *) = (int (*)(void *, void *))call->fn;
	uint64_t start = counter_read_ordered();

	for (unsigned int i = 0; i < n; i++)
		fn(to, NULL);
	return counter_read_ordered() - start;
}

static __attribute__((noinline)) uint64_t
batch_time(const struct bench_call *call, unsigned int n, union bench_result *to)
{
	long (*fn)(long *) = (long (*)(long *))call->fn;
	uint64_t start = counter_read_ordered();

	for (unsigned int i = 0; i < n; i++)
		fn(to->word);
	return counter_read_ordered() - start;
}

static __attribute__((noinline)) uint64_t
batch_getcpu(const struct bench_call *call, unsigned int n, union bench_result *to)
{
	int (*fn)(int32_t *, int32_t *, void *) = (int (*)(int32_t *, int32_t *, void *))call->fn;
	uint64_t start = counter_read_ordered();

	for (unsigned int i = 0; i < n; i++)
		fn(&to->narrow[0], &to->narrow[1], NULL);
	return counter_read_ordered() - start;
}

static uint64_t batch(const struct bench_call *call, unsigned int n, union bench_result *to)
{
	switch (call->form) {
	case FORM_TIMEVAL:	return batch_timeval(call, n, to);
	case FORM_TIME:		return batch_time(call, n, to);
	case FORM_GETCPU:	return batch_getcpu(call, n, to);
	default:		return batch_clock(call, n, to);
	}
}

uint64_t bench_batch(const struct bench_call *call, unsigned int n)
{
	return batch(call, n, &scratch);
}

uint64_t bench_once(const struct bench_call *call, union bench_result *result)
{
	return batch(call, 1, result);
}

/*
 * The bare reads: a loop around nothing but the instructions, halves not put
 * together. RDTSC is unordered; LFENCE before it, or RDTSCP, orders it after what
 * precedes (Intel SDM volume 2, RDTSC and RDTSCP).
 */
#define BENCH_BARE_LOOP(name, instructions)				\
uint64_t name(unsigned int n)						\
{									\
	uint64_t start = counter_read_ordered();			\
									\
	for (unsigned int i = 0; i < n; i++)				\
		__asm__ __volatile__(instructions ::: "eax", "ecx", "edx", "memory"); \
	return counter_read_ordered() - start;				\
}

BENCH_BARE_LOOP(bench_rdtsc, "rdtsc")
BENCH_BARE_LOOP(bench_lfence_rdtsc, "lfence\n\trdtsc")
BENCH_BARE_LOOP(bench_rdtscp, "rdtscp")
