/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Pointers of every kind, and calls that survive what happens to bad ones.
 */
#ifndef TESTS_ABI_PLACES_H
#define TESTS_ABI_PLACES_H

#include "under_test.h"

/**
 * struct place - where a result is to be put
 * @name:	for people
 * @at:		the address
 * @good:	@size bytes can be written there
 * @may_fault:	an access may fault whatever the system call does: misaligned ones
 *		where the CPU does not take them, and under emulators, whose
 *		system calls do not report every bad pointer
 */
struct place {
	const char	*name;
	char		*at;
	bool		good;
	bool		may_fault;
};

#define PLACES	9

/**
 * places() - one pointer of each kind
 * @size:	of the result in bytes, at most 16
 *
 * The last one is good, and a result there can be told from untouched memory:
 * place_is_untouched().
 *
 * Return: PLACES of them; the same memory at every call.
 */
const struct place *places(size_t size);

/**
 * place_clear() - mark a good place as untouched
 */
void place_clear(const struct place *place);

/**
 * place_is_untouched() - whether bytes of a good place are as place_clear() left them
 * @first:	offset of the first byte
 * @end:	offset behind the last byte, at most 32
 */
bool place_is_untouched(const struct place *place, size_t first, size_t end);

/**
 * struct outcome - how a call ended
 * @ret:	what it returned
 * @fault:	it did not return: it accessed memory that it can't
 */
struct outcome {
	long	ret;
	bool	fault;
};

/**
 * typedef any_function - three arguments in the registers or on the stack
 *
 * On the ABIs here, a function that takes fewer ignores the rest. as_any() casts.
 */
typedef long (*any_function)(long, long, long);
#define as_any(f)	((any_function)(void *)(f))

/**
 * guarded_call() - call a function that may fault
 *
 * Not for functions that hold locks: a fault leaves them in the middle.
 */
struct outcome guarded_call(any_function f, long a, long b, long c);

/**
 * outcome_agrees() - whether an image's function did what the system call does
 *
 * Where the system call returns -EFAULT, a function of the image may return that
 * too or fault: the kernel's own vDSO faults.
 */
bool outcome_agrees(struct outcome image, long syscall);

#endif /* TESTS_ABI_PLACES_H */
