// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * System calls in the name of a stopped program.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "tracee.h"

#define SYSCALL_STOP	(SIGTRAP | 0x80)	/* with PTRACE_O_TRACESYSGOOD */
#define PAGE		4096ul

/*
 * A stop on the way to a system call stop. Only SIGSTOP can be the reason, which
 * nobody can block: it is kept for later. SIGCONT shows as a stop too, by SIGTRAP.
 */
static void defer(struct tracee *t, int status)
{
	if (status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP)
		t->deferred = 0;
	else
		t->deferred = WSTOPSIG(status);
}

/*
 * Run to the next system call stop. A program that has been killed is left for
 * the supervisor's main loop to find.
 */
static int run_to_syscall_stop(struct tracee *t)
{
	int status;

	for (;;) {
		siginfo_t info = { 0 };

		if (ptrace(PTRACE_SYSCALL, t->pid, 0, 0) ||
		    waitid(P_PID, (id_t)t->pid, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL) ||
		    info.si_code != CLD_TRAPPED)
			return -1;
		if (waitpid(t->pid, &status, __WALL) != t->pid)
			return -1;
		if (WSTOPSIG(status) == SYSCALL_STOP)
			return 0;
		defer(t, status);
	}
}

static int block_signals(struct tracee *t)
{
	const u64 all = ~0ull;

	t->deferred = 0;
	if (ptrace(PTRACE_GETSIGMASK, t->pid, sizeof(t->mask), &t->mask) ||
	    ptrace(PTRACE_SETSIGMASK, t->pid, sizeof(all), &all))
		return -1;
	return 0;
}

int tracee_begin(struct tracee *t)
{
	/*
	 * The exec has not returned yet: its result would overwrite the number of
	 * our first system call. Let it return.
	 */
	if (block_signals(t) || run_to_syscall_stop(t) ||
	    ptrace(PTRACE_GETREGS, t->pid, 0, &t->saved))
		return -1;
	return 0;
}

/* Numbers of the system calls by which a program gets a memory of its own. */
static bool is_fork(long nr, bool is_i386)
{
	enum { CLONE = 56, FORK = 57, I386_FORK = 2, I386_CLONE = 120, CLONE3 = 435 };

	if (is_i386)
		return nr == I386_FORK || nr == I386_CLONE || nr == CLONE3;
	return nr == FORK || nr == CLONE || nr == CLONE3;
}

int tracee_begin_child(struct tracee *t)
{
	/* The fork has returned already. A stop for SIGCONT looks the same but for this. */
	if (ptrace(PTRACE_GETREGS, t->pid, 0, &t->saved) || t->saved.rax ||
	    !is_fork((long)t->saved.orig_rax, t->is_i386))
		return -1;
	return block_signals(t);
}

/*
 * System call conventions: System V ABI, AMD64 supplement, A.2, for SYSCALL; the
 * kernel's entry for INT 0x80 takes ebx, ecx, edx, esi, edi, ebp.
 */
static int set_call(struct tracee *t, long nr, const u64 args[6])
{
	struct user_regs_struct regs = t->saved;

	regs.rip = t->gadget;
	regs.rax = (u64)nr;
	regs.orig_rax = ~0ull;	/* not in a system call: nothing to restart */
	if (t->is_i386) {
		regs.rbx = args[0];
		regs.rcx = args[1];
		regs.rdx = args[2];
		regs.rsi = args[3];
		regs.rdi = args[4];
		regs.rbp = args[5];
	} else {
		regs.rdi = args[0];
		regs.rsi = args[1];
		regs.rdx = args[2];
		regs.r10 = args[3];
		regs.r8 = args[4];
		regs.r9 = args[5];
	}
	return (int)ptrace(PTRACE_SETREGS, t->pid, 0, &regs);
}

long tracee_syscall(struct tracee *t, long nr, const u64 args[6])
{
	struct user_regs_struct regs;

	/* One stop at the system call's entry, one at its exit. */
	if (set_call(t, nr, args) || run_to_syscall_stop(t) || run_to_syscall_stop(t) ||
	    ptrace(PTRACE_GETREGS, t->pid, 0, &regs))
		return -ESRCH;
	if (!t->is_i386)
		return (long)regs.rax;
	/* An address above 2 GiB is no error, but the topmost 4095 values are. */
	return (u32)regs.rax > -4096u ? (long)(int)regs.rax : (long)(u32)regs.rax;
}

int tracee_end(struct tracee *t)
{
	if (ptrace(PTRACE_SETREGS, t->pid, 0, &t->saved) ||
	    ptrace(PTRACE_SETSIGMASK, t->pid, sizeof(t->mask), &t->mask))
		return -1;
	return 0;
}

bool tracee_is_stopped(const struct tracee *t)
{
	unsigned long message;

	return !ptrace(PTRACE_GETEVENTMSG, t->pid, 0, &message);
}

/*
 * Programs that a deferred SIGSTOP is on its way to. A SIGCONT that comes before it
 * arrives must win, as it came after the original.
 */
static struct {
	pid_t	pid;
	bool	continued;
} stopping[64];

#define STOPPING(pid)	(&stopping[(unsigned int)(pid) % 64])

void tracee_resume(struct tracee *t)
{
	if (t->deferred == SIGSTOP) {
		STOPPING(t->pid)->pid = t->pid;
		STOPPING(t->pid)->continued = false;
	}
	ptrace(PTRACE_CONT, t->pid, 0, t->deferred);
}

void tracee_continued(pid_t pid)
{
	if (STOPPING(pid)->pid == pid)
		STOPPING(pid)->continued = true;
}

bool tracee_drops_stop(pid_t pid)
{
	siginfo_t info;

	/* SIGSTOP with this code was sent by PTRACE_CONT and nobody else. */
	if (STOPPING(pid)->pid != pid || ptrace(PTRACE_GETSIGINFO, pid, 0, &info) ||
	    info.si_code != SI_KERNEL)
		return false;
	STOPPING(pid)->pid = 0;
	return STOPPING(pid)->continued;
}

int tracee_leave(struct tracee *t, long nr, const u64 args[6])
{
	if (set_call(t, nr, args) ||
	    ptrace(PTRACE_SETSIGMASK, t->pid, sizeof(t->mask), &t->mask) ||
	    ptrace(PTRACE_DETACH, t->pid, 0, t->deferred))
		return -1;
	return 0;
}

size_t tracee_read(pid_t pid, u64 address, void *to, size_t size)
{
	size_t done = 0;

	/* Page by page: a request that touches an unmapped page may give nothing at all. */
	while (done < size) {
		size_t piece = PAGE - (address + done) % PAGE;
		struct iovec local, remote = { (void *)(address + done), 0 };

		if (piece > size - done)
			piece = size - done;
		local = (struct iovec){ (char *)to + done, piece };
		remote.iov_len = piece;
		if (process_vm_readv(pid, &local, 1, &remote, 1, 0) != (ssize_t)piece)
			break;
		done += piece;
	}
	return done;
}

int tracee_write(pid_t pid, u64 address, const void *from, size_t size)
{
	struct iovec local = { (void *)from, size };
	struct iovec remote = { (void *)address, size };

	return process_vm_writev(pid, &local, 1, &remote, 1, 0) == (ssize_t)size ? 0 : -1;
}
