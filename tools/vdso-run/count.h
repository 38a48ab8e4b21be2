/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Counting calls (--count): the proof that programs use the image.
 *
 * The first byte of every exported function, of its landing pad, is replaced by a
 * breakpoint. The landing pad does nothing where it is not enforced, so the trap is
 * answered by going on behind it.
 */
#ifndef VDSO_RUN_COUNT_H
#define VDSO_RUN_COUNT_H

#include "run.h"

/**
 * count_prepare() - put the breakpoints in
 * @run:	the run, its images in their segments
 */
void count_prepare(struct run *run);

/**
 * count_program() - remember where a program has the image
 * @run:	the run
 * @pid:	the program
 * @abi:	its ABI
 * @base:	the image's address
 */
void count_program(struct run *run, pid_t pid, enum abi abi, u64 base);

/**
 * count_trap() - answer a trap if it is one of ours
 * @run:	the run
 * @pid:	a thread stopped by SIGTRAP
 *
 * Return: true if it was: the signal must not reach the program.
 */
bool count_trap(struct run *run, pid_t pid);

/**
 * count_forget() - a thread or program has gone
 * @pid:	which
 */
void count_forget(pid_t pid);

/**
 * count_report() - print the calls, by ABI and function
 * @run:	the run
 */
void count_report(const struct run *run);

#endif /* VDSO_RUN_COUNT_H */
