/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reading one clock from the page.
 *
 * The fast path is one attempt without a loop. Whatever is unusual about it (the
 * writer was at work, the counter is behind or far ahead, a hypervisor's
 * clock) goes to vdso_read_slow(), out of line, which tries again.
 * That keeps the fast path free of saved registers: a coarse read costs a
 * little over 1 ns, and pushes would add half of that.
 *
 * All bodies take the page as an argument, so that tests can own it.
 */
#ifndef VDSO_READER_H
#define VDSO_READER_H

#include <vdso/arith.h>
#include <vdso/mapping.h>
#include <vdso/seq.h>

/* Keeps a value in one register: the compiler can't compute it again from what it was made of. */
#define vdso_keep(x)	__asm__("" : "+r"(x))

/**
 * struct vdso_time - a clock reading
 * @sec:	seconds
 * @nsec:	0 to 999999999
 */
struct vdso_time {
	s64		sec;
	unsigned long	nsec;	/* a register wide: a conversion would lengthen the chain */
};

/*
 * The time from a base's second and the ns within it, with the offset of a
 * namespace where there is one (@offset is not @c).
 */
static __always_inline void
vdso_set_time(struct vdso_time *t, const struct vdso_clock *c,
	      const struct vdso_clock *offset, unsigned long nsec)
{
	s64 sec = c->sec;

	if (IS_ENABLED(CONFIG_VDSO_TIME_NS) && unlikely(offset != c)) {
		sec += offset->sec;
		nsec += (unsigned long)offset->nsec;
		if (unlikely(nsec >= NSEC_PER_SEC)) {
			nsec -= NSEC_PER_SEC;
			sec++;
		}
	}
	t->sec = sec;
	t->nsec = nsec;
}

/*
 * The upper and the lower half of a delta, for the fast paths. Where a register
 * holds all of it, all of it is the lower half, and one comparison does.
 */
static __always_inline u32 vdso_delta_high(struct vdso_cycles delta)
{
	return ARCH_VDSO_HALVES ? delta.high : 0;
}

static __always_inline u64 vdso_delta_low(struct vdso_cycles delta)
{
	return ARCH_VDSO_HALVES ? delta.low : vdso_cycles_value(delta);
}

/*
 * @c again, to load one field that must not be loaded before the counter was read, where
 * the architecture needs that. The barrier that a read ends with then keeps what follows
 * behind that load, and so behind the counter: the closing load, and all that the caller
 * loads. A closing load that waits for the counter would have no barrier behind it.
 */
static __always_inline const struct vdso_clock *
vdso_after_counter(const struct vdso_clock *c, struct vdso_cycles cycles)
{
	return (const void *)((const char *)c + arch_vdso_counter_zero(cycles));
}

/*
 * From counter value to ns within the base's second; false if the counter is
 * before the base or so far from it that the second may be over.
 *
 * What the caller waits for is the chain from the counter to the nanoseconds, so
 * the chain uses the low 32 bits of the delta only, and what has to be checked is
 * checked beside it. That the second is not over is seen from the delta as
 * well: a look at the nanoseconds would come at the chain's end. 32-bit CPUs need
 * one multiplication instead of three, and nothing that a compiler would keep in
 * memory for being 64 bits wide. second_delta is beside the chain too, and so it is
 * what waits for the counter.
 */
static __always_inline bool
vdso_cycles_to_nsec(const struct vdso_clock *c, struct vdso_cycles cycles,
		    unsigned long *nsec)
{
	struct vdso_cycles delta = arch_vdso_delta(cycles, &c->cycle_last);

	if (unlikely(vdso_delta_high(delta)) ||
	    unlikely(vdso_delta_low(delta) > vdso_after_counter(c, cycles)->second_delta))
		return false;
	*nsec = arch_vdso_scale(vdso_delta_low(delta), c->mult, c->nsec, c->shift);
	return true;
}

/*
 * The same for the last ticks of a second and beyond: any delta up to max_delta.
 * False if it is a larger one or makes two seconds or more; but cycle_last, which waits
 * for the counter here, has been loaded then too.
 */
static __always_inline bool
vdso_cycles_to_nsec_carry(const struct vdso_clock *c, struct vdso_cycles cycles, u64 *nsec)
{
	const struct vdso_clock *after = vdso_after_counter(c, cycles);
	struct vdso_cycles delta = arch_vdso_delta(cycles, &after->cycle_last);

	if (unlikely(vdso_delta_high(delta)) ||
	    unlikely(vdso_delta_low(delta) > (u32)c->max_delta))
		return false;
	*nsec = (vdso_delta_low(delta) * c->mult + c->nsec) >> (c->shift & 31);
	return *nsec < 2ull * NSEC_PER_SEC;
}

/*
 * The long way: any delta, exact. A counter behind the base (another CPU's may
 * be, by a few ticks) gives the base itself. Only here does it matter how many
 * bits the counter has: the short way sees a wrap as a huge delta and comes here.
 */
static __cold void
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
	if (offset != c) {
		nsec = vdso_add_128_64(nsec, offset->nsec);
		t->sec += offset->sec;
	}
	t->sec += (s64)vdso_divmod(nsec, NSEC_PER_SEC, &rest);
	t->nsec = rest;
}

/* One attempt on a record that is not open, whatever its mode. */
static __always_inline enum vdso_read
vdso_attempt(const struct vdso_page *page, const struct vdso_clock *c,
	     const struct vdso_clock *offset, struct vdso_time *t)
{
	u32 mode = READ_ONCE(c->mode);
	u64 complex, nsec = c->nsec;
	struct vdso_cycles cycles;
	enum vdso_read result;
	u32 carry;

	if (mode == VDSO_MODE_OPEN)
		return VDSO_READ_AGAIN;
	if (mode < VDSO_MODE_ARCH && mode != VDSO_MODE_COARSE)
		return VDSO_READ_SYSCALL;
	if (mode != VDSO_MODE_COARSE) {
		if (unlikely(!arch_vdso_read_counter(mode, &cycles))) {
			result = arch_vdso_read_complex(mode, page, &complex);
			if (result != VDSO_READ_DONE)
				return result;
			cycles = vdso_cycles(complex);
		}
		if (unlikely(!vdso_cycles_to_nsec_carry(c, cycles, &nsec))) {
			vdso_cycles_to_time_exact(c, offset, vdso_cycles_value(cycles), t);
			return VDSO_READ_DONE;
		}
	}
	carry = nsec >= NSEC_PER_SEC;
	vdso_set_time(t, c, offset, (unsigned long)nsec - (carry ? NSEC_PER_SEC : 0));
	t->sec += carry;
	return VDSO_READ_DONE;
}

/**
 * vdso_read_slow() - read a clock, whatever it takes
 * @page:	first page of the mapping
 * @first:	the clock's record there
 * @t:		takes the time
 *
 * Return: false if the system call has to be made: the clock is not served, or
 * the writer held the record open for longer than any live writer does.
 */
static __cold __maybe_unused bool
vdso_read_slow(const struct vdso_page *page, const struct vdso_clock *first,
	       struct vdso_time *t)
{
	struct vdso_tries tries = { .left = VDSO_MAX_TRIES };
	const struct vdso_clock *c = vdso_real_clock(first);

	while (vdso_try_again(&tries, c)) {
		enum vdso_read result = vdso_attempt(page, c, first, t);

		if (likely(result != VDSO_READ_AGAIN && !vdso_seq_changed(c, tries.seq)))
			return result == VDSO_READ_DONE;
		arch_vdso_relax();
	}
	return false;
}

/**
 * struct vdso_start - how an attempt begins: which record, and what it says
 * @c:		the record to read: that of the second page in a time namespace
 * @seq:	from vdso_seq_begin_once()
 * @mode:	its mode
 */
struct vdso_start {
	const struct vdso_clock *c;
	u32	seq;
	u32	mode;
};

/**
 * vdso_start() - begin an attempt
 * @c:	a record
 */
static __always_inline struct vdso_start vdso_start(const struct vdso_clock *c)
{
	u32 seq = vdso_seq_begin_once(c);

	return (struct vdso_start){ .c = c, .seq = seq, .mode = READ_ONCE(c->mode) };
}

/**
 * vdso_read_counter() - one attempt at a clock that runs on a plain counter
 * @start:	of the record to read
 * @nsec:	takes the ns since the base's second
 *
 * Return: false if it does not (neither OPEN nor SYSCALL is a counter), or the
 * counter is too far from the base: vdso_read_slow() is to decide.
 */
static __always_inline bool vdso_read_counter(struct vdso_start start, unsigned long *nsec)
{
	struct vdso_cycles cycles;

	if (unlikely(!arch_vdso_read_counter(start.mode, &cycles)))
		return false;
	return likely(vdso_cycles_to_nsec(start.c, cycles, nsec));
}

/**
 * vdso_read_plain() - one attempt at a clock that runs on a plain counter
 * @start:	of the record to read
 * @t:		takes the time
 *
 * Return: false if it does not, or the writer interfered: vdso_read_slow() is to
 * decide.
 */
static __always_inline bool vdso_read_plain(struct vdso_start start, struct vdso_time *t)
{
	if (unlikely(!vdso_read_counter(start, &t->nsec)))
		return false;
	t->sec = start.c->sec;
	return likely(!vdso_seq_changed(start.c, start.seq));
}

/**
 * vdso_read_fast() - one attempt at the usual cases
 * @first:	the clock's record on the first page
 * @t:		takes the time
 *
 * Return: false if it is not one of them, or the writer interfered:
 * vdso_read_timens() may know it, or else vdso_read_slow() is to decide.
 */
static __always_inline bool
vdso_read_fast(const struct vdso_clock *first, struct vdso_time *t)
{
	struct vdso_start start = vdso_start(first);

	/* Coarse clocks first: nobody feels a test who waits for a counter. */
	if (likely(start.mode == VDSO_MODE_COARSE)) {
		t->sec = first->sec;
		t->nsec = (unsigned long)first->nsec;
		return likely(!vdso_seq_changed(first, start.seq));
	}
	return vdso_read_plain(start, t);
}

/**
 * vdso_read_timens() - one attempt at the usual cases in a time namespace
 * @first:	the clock's record on the first page
 * @t:		takes the time
 *
 * Return: false if it is not one of them, or the writer interfered:
 * vdso_read_slow() is to decide.
 */
static __always_inline bool
vdso_read_timens(const struct vdso_clock *first, struct vdso_time *t)
{
	struct vdso_start start;
	unsigned long nsec;

	if (!IS_ENABLED(CONFIG_VDSO_TIME_NS) || READ_ONCE(first->mode) != VDSO_MODE_TIMENS)
		return false;
	start = vdso_start(vdso_behind(first));
	nsec = (unsigned long)start.c->nsec;
	if (start.mode != VDSO_MODE_COARSE && unlikely(!vdso_read_counter(start, &nsec)))
		return false;
	vdso_set_time(t, start.c, first, nsec);
	return likely(!vdso_seq_changed(start.c, start.seq));
}

#endif /* VDSO_READER_H */
