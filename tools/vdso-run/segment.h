/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Memory shared with the programs: System V shared memory, because a program can
 * attach it by a number alone. That needs no file descriptor in the program, no
 * path, and so works in a chroot and across users.
 */
#ifndef VDSO_RUN_SEGMENT_H
#define VDSO_RUN_SEGMENT_H

#include <stddef.h>

/**
 * struct segment - one segment, attached here for writing
 * @id:		what shmat() takes
 * @memory:	where it is in this process and in its children
 * @size:	in bytes, whole pages
 */
struct segment {
	int	id;
	void	*memory;
	size_t	size;
};

/**
 * segment_create() - make a segment that others can only read
 * @segment:	takes it
 * @size:	in bytes
 * @executable:	others may also execute it
 *
 * It goes away with the last process that has it attached.
 *
 * Return: 0, or -1 and errno.
 */
int segment_create(struct segment *segment, size_t size, int executable);

#endif /* VDSO_RUN_SEGMENT_H */
