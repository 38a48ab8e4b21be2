// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Usage: filter SYSCALL_NUMBER PROGRAM [ARGUMENT...]
 *
 * Runs a program under a seccomp filter that makes one 64-bit system call fail
 * with EPERM.
 */
#include <err.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 argc > 2 ? (unsigned int)atoi(argv[1]) : 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	if (argc < 3)
		errx(2, "usage: filter SYSCALL_NUMBER PROGRAM [ARGUMENT...]");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		err(2, "no seccomp filter");
	execvp(argv[2], argv + 2);
	err(127, "%s", argv[2]);
}
