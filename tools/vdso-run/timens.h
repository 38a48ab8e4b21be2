/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef VDSO_RUN_TIMENS_H
#define VDSO_RUN_TIMENS_H

#include "run.h"

/**
 * timens_first_page() - the first page for a program, by its time namespace
 * @run:	the run
 * @pid:	the program
 * @id:		takes the segment: the data page itself, or its namespace's page
 *
 * Return: NULL, or why the program can't be served.
 */
const char *timens_first_page(struct run *run, pid_t pid, int *id);

/**
 * timens_decide() - bring new pages of time namespaces to life
 * @run:	the run; called by the clock thread only
 *
 * They are not if there can be no guard that knows them: then they lead to the data page.
 */
void timens_decide(struct run *run);

/**
 * timens_is_own() - whether a program is in the supervisor's time namespace
 * @pid:	the program
 */
bool timens_is_own(pid_t pid);

#endif /* VDSO_RUN_TIMENS_H */
