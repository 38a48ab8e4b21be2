/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the reader and an architecture's counters tell each other.
 */
#ifndef VDSO_RESULT_H
#define VDSO_RESULT_H

/**
 * enum vdso_read - how an attempt to read a clock ended
 * @VDSO_READ_DONE:	with a time
 * @VDSO_READ_AGAIN:	the writer interfered: try again
 * @VDSO_READ_SYSCALL:	this clock is not served: make the system call
 */
enum vdso_read {
	VDSO_READ_DONE,
	VDSO_READ_AGAIN,
	VDSO_READ_SYSCALL,
};

#endif /* VDSO_RESULT_H */
