/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Running code one instruction at a time, in its own process: with the trap flag
 * set the CPU raises a debug exception after every instruction (Intel SDM volume
 * 3, "Single-Step Exception Condition"), which arrives as SIGTRAP. The kernel
 * clears the flag for the handler, so whatever that does runs at full speed.
 */
#ifndef TESTS_STEP_H
#define TESTS_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>
#include <x86intrin.h>

#define TRAP_FLAG	(1u << 8)

/* Called before instruction number @step; false: run the rest at full speed. */
typedef bool (*step_fn)(unsigned long step);

static step_fn step_at;
static unsigned long steps;

static void on_step(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	if (!step_at(steps++))
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* Runs @work, with @at before each of its instructions. */
static inline void single_step(void (*work)(void), step_fn at)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &action, NULL);
	step_at = at;
	steps = 0;
	__writeeflags(__readeflags() | TRAP_FLAG);
	work();
	__writeeflags(__readeflags() & ~TRAP_FLAG);
}

#endif /* TESTS_STEP_H */
