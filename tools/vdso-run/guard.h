/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The guard: a process that does nothing but outlive the supervisor. When the
 * supervisor dies, nobody updates the pages any more; the guard then sends every
 * reader to the system call. It knows those that were there when it was started.
 */
#ifndef VDSO_RUN_GUARD_H
#define VDSO_RUN_GUARD_H

#include "run.h"

/**
 * guard_check() - see to it that there is a guard
 * @run:	the run
 *
 * Starts one if there is none or it has died. Called by one thread only; the
 * guard is that thread's child.
 */
void guard_check(struct run *run);

/**
 * guard_renew() - have a guard that knows all data pages
 * @run:	the run; called by guard_check()'s thread
 *
 * Return: false if there can't be one; an old one stays. True also where none is wanted.
 */
bool guard_renew(struct run *run);

#endif /* VDSO_RUN_GUARD_H */
