// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "places.h"

/* What no clock ever leaves in all bytes. */
#define UNTOUCHED	0xa5

/* ARM takes most misaligned accesses, but not those of two registers. */
#ifdef __arm__
#define MISALIGNED_WORKS	false
#else
#define MISALIGNED_WORKS	true
#endif

static struct place all[PLACES];

/*
 * Two writable pages, then one that can only be read, then one without access.
 * The addresses at the end of the address space belong to the kernel.
 */
static void make_places(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = under_test_area(4);
	unsigned long end = vdso.x32 ? 0xffffffe0 : -32ul;

	mprotect(area + 2 * page, page, PROT_READ);
	munmap(area + 3 * page, page);
	memcpy(all, (struct place[PLACES]){
		{ "NULL", NULL, false, false },
		{ "unmapped memory", area + 3 * page + 64, false, false },
		{ "memory without access", area - 64, false, false },
		{ "read-only memory", area + 2 * page + 64, false, false },
		{ "the end of writable memory", area + 2 * page, false, false },
		{ "the end of the address space", (char *)end, false, false },
		{ "memory that crosses a page", area + page, true, false },
		{ "misaligned memory", area + 65, true, !MISALIGNED_WORKS },
		{ "memory", area + 64, true, false },
	}, sizeof(all));
}

const struct place *places(size_t size)
{
	static struct place sized[PLACES];

	if (!all[0].name)
		make_places();
	memcpy(sized, all, sizeof(sized));
	for (int i = 0; i < PLACES; i++)
		sized[i].may_fault |= under_test_emulated() && !sized[i].good;
	/* Half of the result before the border, half behind. */
	sized[4].at -= size / 2;
	sized[6].at -= size / 2;
	return sized;
}

void place_clear(const struct place *place)
{
	memset(place->at, UNTOUCHED, 32);
}

bool place_is_untouched(const struct place *place, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if ((unsigned char)place->at[i] != UNTOUCHED)
			return false;
	return true;
}

static sigjmp_buf before_call;

static void on_fault(int signal)
{
	siglongjmp(before_call, signal);
}

struct outcome guarded_call(any_function f, long a, long b, long c)
{
	const struct sigaction jump = { .sa_handler = on_fault };
	struct sigaction segv, bus;
	struct outcome outcome = { .fault = true };

	sigaction(SIGSEGV, &jump, &segv);
	sigaction(SIGBUS, &jump, &bus);
	if (!sigsetjmp(before_call, 1)) {
		long ret = f(a, b, c);

		outcome = (struct outcome){ .ret = ret };
	}
	sigaction(SIGSEGV, &segv, NULL);
	sigaction(SIGBUS, &bus, NULL);
	return outcome;
}

bool outcome_agrees(struct outcome image, long syscall)
{
	if (image.fault)
		return syscall == -EFAULT;
	return image.ret == syscall;
}
