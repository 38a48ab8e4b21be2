/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reading one clock from the page.
 *
 * The fast path is one attempt without a loop. Whatever is unusual about it (the
 * writer was at work, the counter is behind or far ahead, a hypervisor's
 * clock) goes to vdso_read_slow(), out of line, which has the only retry loop.
 * That keeps the fast path free of saved registers: a coarse read costs a
 * little over 1 ns, and pushes would add half of that.
 *
 * All bodies take the page as an argument, so that tests can own it.
 */
#ifndef VDSO_READER_H
#define VDSO_READER_H

#include <vdso/arith.h>
#include <vdso/seq.h>

/**
 * struct vdso_time - a clock reading
 * @sec:	seconds
 * @nsec:	0 to 999999999
 */
struct vdso_time {
	s64		sec;
	unsigned long	nsec;	/* a register wide: a conversion would lengthen the chain */
};

/**
 * vdso_page_at() - a page of the mapping
 * @page:	the first page
 * @index:	0: itself, 1: the second page, then the architecture's own
 */
static __always_inline const struct vdso_page *
vdso_page_at(const struct vdso_page *page, unsigned int index)
{
	return (const void *)((const char *)page + index * ARCH_VDSO_PAGE_SIZE);
}

/**
 * vdso_real_page() - the page that the writer updates
 * @page:	first page of the mapping
 *
 * Return: @page itself, or the page behind it in a time namespace. A namespace's
 * page has mode TIMENS in every record, and for good: the first one tells.
 */
static __always_inline const struct vdso_page *vdso_real_page(const struct vdso_page *page)
{
	if (IS_ENABLED(CONFIG_VDSO_TIME_NS) && page->clock[0].mode == VDSO_MODE_TIMENS)
		return vdso_page_at(page, 1);
	return page;
}

/* Carry into the seconds; false if @nsec is two seconds or more. */
static __always_inline bool vdso_set_time(struct vdso_time *t, s64 sec, u64 nsec)
{
	if (unlikely(nsec >= NSEC_PER_SEC)) {
		if (unlikely(nsec >= 2 * (u64)NSEC_PER_SEC))
			return false;
		nsec -= NSEC_PER_SEC;
		sec++;
	}
	t->sec = sec;
	t->nsec = (unsigned long)nsec;
	return true;
}

/*
 * From counter value to time, the short way. @offset (a TIMENS record) may be NULL.
 * What the caller waits for is the chain from the counter to the nanoseconds, so
 * the chain uses the low 32 bits of the delta only; whether they are the whole
 * delta is checked beside it. 32-bit CPUs need one multiplication instead of three.
 */
static __always_inline bool
vdso_cycles_to_time(const struct vdso_clock *c, const struct vdso_clock *offset,
		    u64 cycles, struct vdso_time *t)
{
	u64 last = c->cycle_last;
	u32 delta = (u32)cycles - (u32)last;
	u64 nsec = vdso_shr((u64)delta * c->mult + c->nsec, c->shift);
	s64 sec = c->sec;

	if (unlikely(cycles - last > c->max_delta))
		return false;
	if (offset) {
		sec += offset->sec;
		nsec += offset->nsec;
	}
	return vdso_set_time(t, sec, nsec);
}

/*
 * The long way: any delta, exact. A counter behind the base (another CPU's may
 * be, by a few ticks) gives the base itself. Only here does it matter how many
 * bits the counter has: the short way sees a wrap as a huge delta and comes here.
 */
static __noinline __cold void
vdso_cycles_to_time_exact(const struct vdso_clock *c, const struct vdso_clock *offset,
			  u64 cycles, struct vdso_time *t)
{
	u64 mask = c->mask;
	u64 delta = (cycles - c->cycle_last) & mask;
	struct vdso_u128 nsec;
	u32 rest;

	if (delta > mask >> 1)
		delta = 0;
	nsec = vdso_add_128_64(vdso_mul_64_32(delta, c->mult), c->nsec);
	nsec = vdso_shr_128(nsec, c->shift & 31);
	t->sec = c->sec;
	if (offset) {
		nsec = vdso_add_128_64(nsec, offset->nsec);
		t->sec += offset->sec;
	}
	t->sec += (s64)vdso_divmod(nsec, NSEC_PER_SEC, &rest);
	t->nsec = rest;
}

/* A coarse record holds the time itself. */
static __always_inline bool
vdso_coarse_to_time(const struct vdso_clock *c, const struct vdso_clock *offset,
		    struct vdso_time *t)
{
	if (!offset) {
		t->sec = c->sec;
		t->nsec = (unsigned long)c->nsec;
		return true;
	}
	return vdso_set_time(t, c->sec + offset->sec, c->nsec + offset->nsec);
}

/* One attempt on a record that is not open, whatever its mode. */
static __always_inline enum vdso_read
vdso_attempt(const struct vdso_page *first, const struct vdso_clock *c,
	     const struct vdso_clock *offset, struct vdso_time *t)
{
	u32 mode = READ_ONCE(c->mode);
	u64 cycles, complex;
	enum vdso_read result;

	if (mode == VDSO_MODE_COARSE)
		return vdso_coarse_to_time(c, offset, t) ? VDSO_READ_DONE : VDSO_READ_SYSCALL;
	if (mode < VDSO_MODE_ARCH)
		return VDSO_READ_SYSCALL;
	if (unlikely(!arch_vdso_read_counter(mode, &cycles))) {
		result = arch_vdso_read_complex(mode, first, &complex);
		if (result != VDSO_READ_DONE)
			return result;
		cycles = complex;	/* so that only this one has an address */
	}
	if (unlikely(!vdso_cycles_to_time(c, offset, cycles, t)))
		vdso_cycles_to_time_exact(c, offset, cycles, t);
	return VDSO_READ_DONE;
}

/**
 * vdso_read_slow() - read a clock, whatever it takes
 * @page:	first page of the mapping
 * @id:		0 to VDSO_CLOCKS - 1
 * @t:		takes the time
 *
 * Return: false if the system call has to be made: the clock is not served, or
 * the writer held the record open for longer than any live writer does.
 */
static __noinline bool
vdso_read_slow(const struct vdso_page *page, u32 id, struct vdso_time *t)
{
	struct vdso_tries tries = { .left = VDSO_MAX_TRIES };
	const struct vdso_clock *c = &page->clock[id];
	const struct vdso_clock *offset = NULL;

	if (IS_ENABLED(CONFIG_VDSO_TIME_NS) && READ_ONCE(c->mode) == VDSO_MODE_TIMENS) {
		offset = c;
		c = &vdso_page_at(page, 1)->clock[id];
	}

	while (vdso_try_again(&tries, c)) {
		enum vdso_read result = vdso_attempt(page, c, offset, t);

		if (likely(result != VDSO_READ_AGAIN && !vdso_seq_changed(c, tries.seq)))
			return result == VDSO_READ_DONE;
	}
	return false;
}

/**
 * vdso_read_fast() - one attempt at the usual case
 * @c:		the record
 * @t:		takes the time
 *
 * Return: false if that was not the usual case, or the writer interfered:
 * vdso_read_slow() is to decide.
 */
static __always_inline bool vdso_read_fast(const struct vdso_clock *c, struct vdso_time *t)
{
	u32 seq = vdso_seq_begin(c);
	u32 mode = READ_ONCE(c->mode);
	u64 cycles;

	if (unlikely(seq & 1))
		return false;
	if (mode == VDSO_MODE_COARSE)
		vdso_coarse_to_time(c, NULL, t);
	else if (unlikely(!arch_vdso_read_counter(mode, &cycles) ||
			  !vdso_cycles_to_time(c, NULL, cycles, t)))
		return false;
	return likely(!vdso_seq_changed(c, seq));
}

/**
 * vdso_read() - read a clock
 * @page:	first page of the mapping
 * @id:		any clock id
 * @t:		takes the time
 *
 * Return: false if the system call has to be made.
 */
static __always_inline bool
vdso_read(const struct vdso_page *page, __kernel_clockid_t id, struct vdso_time *t)
{
	if (unlikely((u32)id >= VDSO_CLOCKS))
		return false;
	return vdso_read_fast(&page->clock[(u32)id], t) || vdso_read_slow(page, (u32)id, t);
}

#endif /* VDSO_READER_H */
