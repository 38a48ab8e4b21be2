/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The sequence counter of one record.
 *
 * The writer makes it odd, stores, and makes it even again. A reader that saw
 * the same even number before and after its loads has seen one version.
 *
 * Of a 64-bit CPU's writer the record also has mode OPEN for as long as the number is
 * odd: both are one store. So a 64-bit reader, which loads first the number and then
 * a mode other than OPEN, need not look whether the number is odd: if it was, the writer
 * has closed the record since and the number is another one at the end. A 32-bit CPU's
 * writer leaves the mode alone, which spares it half of the barriers, and its readers
 * look at the number. They can read what either writer wrote.
 */
#ifndef VDSO_SEQ_H
#define VDSO_SEQ_H

#include <vdso/hooks.h>

/**
 * vdso_seq_begin() - start to read a record
 * @c:	the record
 *
 * Return: the number to give to vdso_seq_changed(); odd: the writer is at work,
 * and so nothing of the record may be used.
 */
static __always_inline u32 vdso_seq_begin(const struct vdso_clock *c)
{
	return arch_vdso_load_acquire(&c->seq);	/* pairs with the wmbs in vdso_seq_close() */
}

/**
 * vdso_seq_begin_once() - start to read a record for which there is no second attempt
 * @c:	the record
 *
 * Return: the number to give to vdso_seq_changed(). It says that the record has changed
 * if the writer is at work, unless the mode is OPEN.
 */
static __always_inline u32 vdso_seq_begin_once(const struct vdso_clock *c)
{
	u32 seq = vdso_seq_begin(c);

	/* The last even number: it does not come back. */
	return sizeof(long) == 8 ? seq : seq & ~1u;
}

/**
 * vdso_seq_changed() - end a read
 * @c:		the record
 * @seq:	what vdso_seq_begin() or vdso_seq_begin_once() returned
 *
 * Return: true if the record may have changed since: what was read is worthless.
 */
static __always_inline bool
vdso_seq_changed(const struct vdso_clock *c, u32 seq)
{
	arch_vdso_rmb();	/* pairs with the wmbs in vdso_seq_open() */
	/* Not volatile: it lets the compiler compare with memory, in one instruction. */
	return c->seq != seq;
}

/* Attempts before a reader gives the writer up and makes the system call. */
#define VDSO_MAX_TRIES	128

/**
 * struct vdso_tries - the retry loop of a read
 * @left:	attempts left; start with VDSO_MAX_TRIES
 * @seq:	what the attempt under way gives to vdso_seq_changed()
 */
struct vdso_tries {
	u32	left;
	u32	seq;
};

/**
 * vdso_try_again() - begin an attempt on a record that is not open
 * @tries:	the loop
 * @c:		the record
 *
 * Return: false if all attempts are used up: the writer has died in the middle,
 * or this reader has bad luck without end. No reader spins for ever.
 */
static __always_inline bool vdso_try_again(struct vdso_tries *tries, const struct vdso_clock *c)
{
	while (tries->left--) {
		tries->seq = vdso_seq_begin(c);
		if (likely(!(tries->seq & 1)))
			return true;
		arch_vdso_relax();
	}
	return false;
}

/*
 * Every update of the page has a number, even and two more than the one before, and
 * leaves it in each record that it writes. So nothing of a record has to be loaded to
 * write it. Whatever became of an earlier writer, its number is not used again.
 */
static __always_inline u32 vdso_seq_next(struct vdso_page *page)
{
	u32 seq = page->seq + 2;

	WRITE_ONCE(page->seq, seq);
	return seq;
}

/* A CPU that stores 64 bits at once needs no barrier between the number and the mode. */
static __always_inline void vdso_seq_store(struct vdso_clock *c, u32 seq, u32 mode)
{
	typedef u64 __attribute__((__may_alias__)) both;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	WRITE_ONCE(*(both *)&c->seq, (u64)seq << 32 | mode);
#else
	WRITE_ONCE(*(both *)&c->seq, (u64)mode << 32 | seq);
#endif
}

/**
 * vdso_seq_open_for() - start to write a record
 * @c:		the record, perhaps left open by a dead writer
 * @update:	number of the update
 */
static __always_inline void vdso_seq_open_for(struct vdso_clock *c, u32 update)
{
	if (sizeof(long) == 8)
		vdso_seq_store(c, update - 1, VDSO_MODE_OPEN);
	else
		WRITE_ONCE(c->seq, update - 1);
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_changed() */
}

/**
 * vdso_seq_open() - keep readers from a record until the next update of it
 * @c:	the record
 */
static __always_inline void vdso_seq_open(struct vdso_clock *c)
{
	vdso_seq_open_for(c, (c->seq | 1) + 1);
}

/**
 * vdso_seq_close() - end a write
 * @c:		the record, open
 * @update:	number of the update
 * @mode:	how to read it from now on
 */
static __always_inline void vdso_seq_close(struct vdso_clock *c, u32 update, u32 mode)
{
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_begin() */
	if (sizeof(long) == 8) {
		vdso_seq_store(c, update, mode);
	} else {
		/* After the rest all the same: some readers look at the mode alone. */
		WRITE_ONCE(c->mode, mode);
		arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_begin() */
		WRITE_ONCE(c->seq, update);
	}
}

/**
 * vdso_seq_close_same() - end a write that leaves the mode as it was
 * @c:		the record, open
 * @update:	number of the update
 * @mode:	the mode that it had when it was opened
 */
static __always_inline void vdso_seq_close_same(struct vdso_clock *c, u32 update, u32 mode)
{
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_begin() */
	if (sizeof(long) == 8)
		vdso_seq_store(c, update, mode);
	else
		WRITE_ONCE(c->seq, update);
}

#endif /* VDSO_SEQ_H */
