/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a clock has to say, straight from the timekeeper snapshot and in exact
 * arithmetic: no page, no record, no short way.
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include <vdso/update.h>

/**
 * struct model_time - a clock reading as it should be
 * @served:	false: the system call has to answer
 * @sec:	seconds
 * @nsec:	nanoseconds
 * @overflow:	the seconds do not fit 64 bits: no clock can say this time
 */
struct model_time {
	bool	served;
	bool	overflow;
	s64	sec;
	u32	nsec;
};

/**
 * struct model_namespace - the offsets of a time namespace
 * @monotonic:	of CLOCK_MONOTONIC, _RAW and _COARSE
 * @boottime:	of CLOCK_BOOTTIME and CLOCK_BOOTTIME_ALARM
 */
struct model_namespace {
	struct vdso_offset monotonic;
	struct vdso_offset boottime;
};

/* The clock @id at counter value @cycles; @ns may be NULL. */
struct model_time model_read(const struct vdso_timekeeper *tk, const struct model_namespace *ns,
			     int id, u64 cycles);

/* What clock_getres() answers; 0: the system call does. */
u32 model_res(const struct vdso_timekeeper *tk, int id);

/* Whether a base keeps the ranges of struct vdso_timebase, and its counter is usable. */
bool model_base_valid(const struct vdso_timebase *base);
bool model_counter_valid(const struct vdso_timebase *base);

/* The timekeeper moves all bases to counter value @cycles, as the kernel does every tick. */
void model_advance(struct vdso_timekeeper *tk, u64 cycles);

/* A snapshot with every field anywhere in its range, edges included. */
void random_timekeeper(struct vdso_timekeeper *tk);

/* The same, as kernels have it: one counter, which makes no more than 2^31 cycles a second. */
void random_kernel(struct vdso_timekeeper *tk);

/* The times move on, the offsets perhaps, and the steered mult by a little. */
void random_tick(struct vdso_timekeeper *tk);

/* -2^40 to 2^40 seconds, mostly small; nanoseconds anywhere, edges included. */
struct vdso_offset random_offset(void);

#endif /* TESTS_MODEL_H */
