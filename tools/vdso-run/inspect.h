/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What kind of program has just been started.
 */
#ifndef VDSO_RUN_INSPECT_H
#define VDSO_RUN_INSPECT_H

#include "run.h"

/**
 * struct program - a program at its PTRACE_EVENT_EXEC
 * @pid:		its process id
 * @abi:		ABI_FOREIGN: none that there are images for
 * @word:		size of a pointer in it, in bytes
 * @argc:		how many arguments
 * @stack:		where its stack begins: argc, argv, envp, auxiliary vector
 * @envp:		where the environment's pointers begin
 * @ehdr_at:		where the value of AT_SYSINFO_EHDR is, 0: there is none
 * @ehdr:		that value: the host's vDSO
 * @execfn:		AT_EXECFN: where the name is that it was started by
 * @gains:		its file gives privileges that its caller lacks
 * @has_gained:		and it has them
 * @filtered:		a seccomp filter is in force that this process is not under
 */
struct program {
	pid_t		pid;
	enum abi	abi;
	u32		word;
	u64		argc;
	u64		stack;
	u64		envp;
	u64		ehdr_at;
	u64		ehdr;
	u64		execfn;
	bool		gains;
	bool		has_gained;
	bool		filtered;
};

/**
 * inspect() - look at a program
 * @program:	takes what there is to know
 * @pid:	in PTRACE_EVENT_EXEC
 *
 * Return: NULL, or why it can't be looked at.
 */
const char *inspect(struct program *program, pid_t pid);

/**
 * inspect_same_file() - whether a name means the program's own file to the program
 * @program:	inspected
 *
 * Return: true if the program can exec itself by AT_EXECFN.
 */
bool inspect_same_file(const struct program *program);

#endif /* VDSO_RUN_INSPECT_H */
