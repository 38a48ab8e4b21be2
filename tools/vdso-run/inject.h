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

#endif /* VDSO_RUN_INJECT_H */
