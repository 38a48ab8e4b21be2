// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What kind of program has just been started.
 */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/user.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "inspect.h"
#include "tracee.h"

/* What /proc/PID/status says. */
struct status {
	unsigned int	uid, euid;
	unsigned int	gid, egid;
	unsigned int	no_new_privs;
	unsigned int	seccomp, filters;
};

static int read_status(pid_t pid, struct status *status)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	memset(status, 0, sizeof(*status));
	file = fopen(path, "re");
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "Uid: %u %u", &status->uid, &status->euid);
		sscanf(line, "Gid: %u %u", &status->gid, &status->egid);
		sscanf(line, "NoNewPrivs: %u", &status->no_new_privs);
		sscanf(line, "Seccomp: %u", &status->seccomp);
		sscanf(line, "Seccomp_filters: %u", &status->filters);
	}
	fclose(file);
	return 0;
}

static enum abi abi_of(const unsigned char *ident, u32 machine)
{
	if (machine == EM_X86_64 && ident[EI_CLASS] == ELFCLASS64)
		return ABI_X86_64;
	if (machine == EM_X86_64 && ident[EI_CLASS] == ELFCLASS32)
		return ABI_X32;
	return machine == EM_386 ? ABI_I386 : ABI_FOREIGN;
}

static const char *read_elf_header(struct program *program, const char *exe)
{
	Elf32_Ehdr header;	/* e_machine is at the same place in both classes */
	int fd = open(exe, O_RDONLY | O_CLOEXEC);
	ssize_t size;

	if (fd < 0)
		return "its file can't be read";
	size = read(fd, &header, sizeof(header));
	close(fd);
	if (size != sizeof(header) || memcmp(header.e_ident, ELFMAG, SELFMAG))
		return "its file is no ELF file";
	program->abi = abi_of(header.e_ident, header.e_machine);
	program->word = program->abi == ABI_X86_64 ? 8 : 4;
	return program->abi == ABI_FOREIGN ? "it is for another architecture" : NULL;
}

/* Whether the file of @exe gives its caller, as @status has it, privileges; and if it has. */
static void look_for_privileges(struct program *program, const char *exe,
				const struct status *status)
{
	struct statvfs fs;
	struct stat st;
	char caps[64];
	bool setuid, setgid, has_caps;

	program->has_gained = status->uid != status->euid || status->gid != status->egid;
	if (status->no_new_privs || stat(exe, &st) || statvfs(exe, &fs) || fs.f_flag & ST_NOSUID)
		return;
	setuid = st.st_mode & S_ISUID && st.st_uid != status->euid;
	setgid = (st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
		 st.st_gid != status->egid;
	has_caps = status->euid && getxattr(exe, "security.capability", caps, sizeof(caps)) > 0;
	program->gains = setuid || setgid || has_caps;
}

/* Words of the stack in one form. */
static bool read_words(const struct program *program, u64 address, u64 *words, size_t count)
{
	u32 narrow[64];

	if (program->word == 8)
		return tracee_read(program->pid, address, words, count * 8) == count * 8;
	if (tracee_read(program->pid, address, narrow, count * 4) != count * 4)
		return false;
	for (size_t i = 0; i < count; i++)
		words[i] = narrow[i];
	return true;
}

/* The address behind the environment's closing NULL, 0: not readable. */
static u64 skip_environment(const struct program *program)
{
	u64 address = program->envp, word[2];

	/* Two at a time: behind the NULL there is always a vector entry. */
	for (;;) {
		if (!read_words(program, address, word, 2))
			return 0;
		if (!word[0])
			return address + program->word;
		if (!word[1])
			return address + 2 * program->word;
		address += 2 * program->word;
	}
}

static const char *read_stack(struct program *program)
{
	u64 address, entry[2];

	if (!read_words(program, program->stack, &program->argc, 1))
		return "its memory can't be read";
	program->envp = program->stack + (program->argc + 2) * program->word;
	address = skip_environment(program);
	if (!address)
		return "its memory can't be read";
	for (;; address += 2 * program->word) {
		if (!read_words(program, address, entry, 2))
			return "its memory can't be read";
		switch (entry[0]) {
		case AT_NULL:
			return program->ehdr_at ? NULL : "the kernel gave it no vDSO";
		case AT_SYSINFO_EHDR:
			program->ehdr_at = address + program->word;
			program->ehdr = entry[1];
			break;
		case AT_EXECFN:
			program->execfn = entry[1];
			break;
		}
	}
}

static const char *read_state(struct program *program, const char *exe)
{
	struct user_regs_struct regs;
	struct status own, its;

	if (read_status(program->pid, &its) || read_status(getpid(), &own) ||
	    ptrace(PTRACE_GETREGS, program->pid, 0, &regs))
		return "its state can't be read";
	program->stack = regs.rsp;
	/* Filters are inherited: as many as ours are ours, and those let us do all this. */
	program->filtered = its.seccomp &&
			    (its.seccomp != own.seccomp || its.filters != own.filters);
	look_for_privileges(program, exe, &its);
	return NULL;
}

const char *inspect(struct program *program, pid_t pid)
{
	const char *problem;
	char exe[64];

	memset(program, 0, sizeof(*program));
	program->pid = pid;
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	problem = read_elf_header(program, exe);
	if (!problem)
		problem = read_state(program, exe);
	if (!problem)
		problem = read_stack(program);
	return problem;
}

bool inspect_same_file(const struct program *program)
{
	char path[PATH_MAX + 64], exe[64];
	struct stat its, named;
	size_t length = (size_t)snprintf(path, sizeof(path), "/proc/%d/cwd/", program->pid);
	size_t size = tracee_read(program->pid, program->execfn, path + length, PATH_MAX);

	if (!size || !memchr(path + length, 0, size))
		return false;
	if (path[length] == '/') {
		char name[PATH_MAX];

		strcpy(name, path + length);
		snprintf(path, sizeof(path), "/proc/%d/root%s", program->pid, name);
	}
	snprintf(exe, sizeof(exe), "/proc/%d/exe", program->pid);
	return !stat(path, &named) && !stat(exe, &its) &&
	       named.st_dev == its.st_dev && named.st_ino == its.st_ino;
}
