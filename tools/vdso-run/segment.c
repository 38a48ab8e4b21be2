// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory shared with the programs.
 */
#include <errno.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include "segment.h"

static int segment_restrict(int id, int mode)
{
	struct shmid_ds ds;

	if (shmctl(id, IPC_STAT, &ds))
		return -1;
	ds.shm_perm.mode = (unsigned short)mode;
	if (shmctl(id, IPC_SET, &ds))
		return -1;
	/* Linux lets others attach by number for as long as somebody has it attached. */
	return shmctl(id, IPC_RMID, NULL);
}

int segment_create(struct segment *segment, size_t size, int executable)
{
	int error;

	segment->size = size;
	segment->id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
	if (segment->id < 0)
		return -1;
	segment->memory = shmat(segment->id, NULL, 0);
	if (segment->memory != (void *)-1 &&
	    !segment_restrict(segment->id, executable ? 0555 : 0444))
		return 0;
	error = errno;
	shmctl(segment->id, IPC_RMID, NULL);
	errno = error;
	return -1;
}
