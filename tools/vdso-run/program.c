// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Finding and starting the program, as a shell would.
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "options.h"
#include "program.h"

/* 0 if @path can be executed, else an errno. */
static int program_check(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) ? errno : 0;
}

static void __attribute__((__noreturn__)) program_refuse(const char *name, int error)
{
	if (error == ENOENT || error == ENOTDIR)
		errx(EXIT_NOT_FOUND, "%s: program not found", name);
	errx(EXIT_NOT_EXECUTABLE, "%s: can't be executed: %s", name, strerror(error));
}

static char *program_search(const char *name)
{
	const char *path = getenv("PATH") ?: "/bin:/usr/bin";
	int error = ENOENT;

	for (;;) {
		int length = (int)strcspn(path, ":");
		char *file;

		if (asprintf(&file, "%.*s%s%s", length, path, length ? "/" : "", name) < 0)
			err(EXIT_SELF, "no memory");
		int result = program_check(file);

		if (!result)
			return file;
		/* As execvp(): go on, but remember that there was one. */
		if (result == EACCES)
			error = result;
		free(file);
		if (!path[length])
			program_refuse(name, error);
		path += length + 1;
	}
}

char *program_find(const char *name)
{
	int error;
	char *path;

	if (!*name)
		program_refuse("\"\"", ENOENT);
	if (!strchr(name, '/'))
		return program_search(name);
	error = program_check(name);
	if (error)
		program_refuse(name, error);
	path = strdup(name);
	if (!path)
		err(EXIT_SELF, "no memory");
	return path;
}

static int program_is_elf(const char *path)
{
	char magic[SELFMAG] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, magic, sizeof(magic)) != sizeof(magic))
		magic[0] = 0;
	if (fd >= 0)
		close(fd);
	return !memcmp(magic, ELFMAG, SELFMAG);
}

/* A script without an interpreter line is the shell's. */
static void program_exec_script(const char *path, char **argv)
{
	size_t count = 0;
	char **shell_argv;

	while (argv[count])
		count++;
	shell_argv = calloc(count + 2, sizeof(*shell_argv));
	if (!shell_argv)
		err(EXIT_SELF, "no memory");
	shell_argv[0] = "/bin/sh";
	shell_argv[1] = (char *)path;
	for (size_t i = 1; i < count; i++)
		shell_argv[i + 1] = argv[i];
	execv(shell_argv[0], shell_argv);
}

void program_exec(const char *path, char **argv)
{
	execv(path, argv);
	if (errno == ENOEXEC && !program_is_elf(path))
		program_exec_script(path, argv);
	if (errno == ENOENT)
		errx(EXIT_NOT_FOUND, "%s: its interpreter was not found", path);
	program_refuse(path, errno);
}
