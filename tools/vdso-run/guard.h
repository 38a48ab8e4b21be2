/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The guard: a process that does nothing but outlive the supervisor. When the
 * supervisor dies, nobody updates the page any more; the guard then sends every
 * reader to the system call.
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

#endif /* VDSO_RUN_GUARD_H */
