/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Giving a program our image.
 */
#ifndef VDSO_RUN_INJECT_H
#define VDSO_RUN_INJECT_H

#include "run.h"

/**
 * inject() - serve a program, or say why not; then let it go on
 * @run:	the run
 * @pid:	a program in PTRACE_EVENT_EXEC
 */
void inject(struct run *run, pid_t pid);

/**
 * inject_child() - give a forked program the page of its time namespace
 * @run:	the run
 * @pid:	a program in PTRACE_EVENT_STOP for SIGTRAP; it goes on afterwards
 *
 * A program that has called unshare(CLONE_NEWTIME) stays where it is, but its
 * children are in the new namespace from their first instruction. Nothing is done
 * for other children, nor for programs that stopped there because of SIGCONT.
 */
void inject_child(struct run *run, pid_t pid);

#endif /* VDSO_RUN_INJECT_H */
