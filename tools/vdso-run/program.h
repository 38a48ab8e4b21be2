/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Finding and starting the program, as a shell would.
 */
#ifndef VDSO_RUN_PROGRAM_H
#define VDSO_RUN_PROGRAM_H

/**
 * program_find() - look a program up
 * @name:	a path if it has a slash, else searched for in $PATH
 *
 * Exits with 126 or 127 and a sentence if there is none that can be executed.
 *
 * Return: its path, allocated.
 */
char *program_find(const char *name);

/**
 * program_exec() - become the program
 * @path:	from program_find()
 * @argv:	its arguments
 *
 * Does not return: on failure it exits with 126 or 127 and a sentence.
 */
void program_exec(const char *path, char **argv) __attribute__((__noreturn__));

#endif /* VDSO_RUN_PROGRAM_H */
