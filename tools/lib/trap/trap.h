/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * For an emulator that refuses the counter instruction: a program's SIGILL handler
 * does what the instruction would. One file per architecture that needs it; none.c
 * serves the others. No header of a C library: programs without one link it too.
 */
#ifndef TOOLS_LIB_TRAP_H
#define TOOLS_LIB_TRAP_H

#include <stdbool.h>

/**
 * trap_emulate() - carry out a refused counter instruction
 * @ucontext:	the signal handler's third argument
 * @count:	what the counter shall say
 *
 * Return: false if the instruction is another one.
 */
bool trap_emulate(void *ucontext, unsigned long long count);

#endif /* TOOLS_LIB_TRAP_H */
