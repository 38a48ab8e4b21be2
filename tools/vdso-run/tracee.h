/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A program that is stopped before it does anything, and system calls made in its
 * name.
 *
 * All functions may find that the program has been killed; then they fail, and
 * whatever they were asked for does not matter any more.
 */
#ifndef VDSO_RUN_TRACEE_H
#define VDSO_RUN_TRACEE_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/user.h>
#include <vdso/types.h>

/**
 * struct tracee - a program between its exec, or fork, and its first instruction
 * @pid:	its process id
 * @is_i386:	its system calls are those of 32-bit code
 * @saved:	its registers
 * @mask:	its signal mask
 * @gadget:	address of a system call instruction in it
 * @deferred:	a signal that came meanwhile, 0: none
 */
struct tracee {
	pid_t			pid;
	bool			is_i386;
	struct user_regs_struct	saved;
	u64			mask;
	u64			gadget;
	int			deferred;
};

/**
 * tracee_begin() - get ready for system calls
 * @t:		@pid, @is_i386 and @gadget are set; the program is in PTRACE_EVENT_EXEC
 *
 * Return: 0, or -1: it has been killed.
 */
int tracee_begin(struct tracee *t);

/**
 * tracee_begin_child() - the same for the child of a fork
 * @t:		@pid and @is_i386 are set; the child is in its very first stop
 *
 * Return: 0, or -1: it has been killed, or is not such a child.
 */
int tracee_begin_child(struct tracee *t);

/**
 * tracee_syscall() - make a system call in the program
 * @t:		ready
 * @nr:		its number in the program's ABI
 * @args:	six arguments
 *
 * Return: its result, negative errno included; -ESRCH also if the program has
 * been killed.
 */
long tracee_syscall(struct tracee *t, long nr, const u64 args[6]);

/**
 * tracee_end() - put registers and signal mask back
 * @t:		ready; tracee_resume() is next
 *
 * Return: 0, or -1: it has been killed.
 */
int tracee_end(struct tracee *t);

/**
 * tracee_is_stopped() - whether it is still there to be worked on
 * @t:		in any stop
 *
 * Return: false: it has been killed.
 */
bool tracee_is_stopped(const struct tracee *t);

/**
 * tracee_resume() - let it go on, or stop if somebody wanted that meanwhile
 * @t:		in any stop
 */
void tracee_resume(struct tracee *t);

/**
 * tracee_continued() - SIGCONT was sent to a program that runs again
 * @pid:	the program
 */
void tracee_continued(pid_t pid);

/**
 * tracee_drops_stop() - whether a SIGSTOP came too late
 * @pid:	a program about to get SIGSTOP
 *
 * Return: true if it is one that tracee_resume() passed on and SIGCONT was sent
 * before it arrived: it must not be delivered.
 */
bool tracee_drops_stop(pid_t pid);

/**
 * tracee_leave() - make the program do a system call and trace it no more
 * @t:		ready
 * @nr:		as for tracee_syscall()
 * @args:	likewise
 *
 * Return: 0, or -1: it has been killed.
 */
int tracee_leave(struct tracee *t, long nr, const u64 args[6]);

/**
 * tracee_read() - read memory
 * @pid:	the program
 * @address:	in it
 * @to:		takes it
 * @size:	in bytes
 *
 * Return: how many bytes could be read from @address on.
 */
size_t tracee_read(pid_t pid, u64 address, void *to, size_t size);

/**
 * tracee_write() - write memory
 * @pid:	the program
 * @address:	in it
 * @from:	what
 * @size:	in bytes
 *
 * Return: 0, or -1.
 */
int tracee_write(pid_t pid, u64 address, const void *from, size_t size);

#endif /* VDSO_RUN_TRACEE_H */
