/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * For an emulator that refuses the counter instruction: the driver's SIGILL
 * handler does what the instruction would. One file per architecture that needs it;
 * none.c serves the others.
 */
#ifndef COST_TRAP_H
#define COST_TRAP_H

#include <stdbool.h>

/**
 * cost_emulate() - carry out a refused counter instruction
 * @ucontext:	the signal handler's third argument
 * @count:	what the counter shall say
 *
 * Return: false if the instruction is another one.
 */
bool cost_emulate(void *ucontext, unsigned long long count);

#endif /* COST_TRAP_H */
