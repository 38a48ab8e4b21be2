/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The sequence counter of one record.
 *
 * The writer makes it odd, stores, and makes it even again. A reader that saw
 * the same even number before and after its loads has seen one version.
 *
 * While the number is odd the mode is OPEN, and it is so from before to after. A
 * reader that loads first the number and then a mode other than OPEN therefore
 * need not look whether the number is odd: if it was, the writer has
 * closed the record since and the number is another one at the end. That
 * spares the fast path a test, and the writer may be a 32-bit CPU's two stores.
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
 * vdso_seq_changed() - end a read
 * @c:		the record
 * @zero:	0, or arch_vdso_counter_zero() of the counter that was read
 * @seq:	what vdso_seq_begin() returned
 *
 * Return: true if the record may have changed since: what was read is worthless.
 */
static __always_inline bool
vdso_seq_changed(const struct vdso_clock *c, unsigned long zero, u32 seq)
{
	const u32 *closing = (const void *)((const char *)&c->seq + zero);

	arch_vdso_rmb();	/* pairs with the wmbs in vdso_seq_open() */
	/* Not volatile: it lets the compiler compare with memory, in one instruction. */
	return *closing != seq;
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
 * @seq and @mode of a record as one word, for CPUs that store 64 bits at once: then
 * no barrier has to stand between the two.
 */
#define VDSO_SEQ_WORD	(sizeof(long) == 8)
typedef u64 __attribute__((__may_alias__)) vdso_seq_word_t;

static __always_inline void vdso_seq_store(struct vdso_clock *c, u32 seq, u32 mode)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	u64 word = (u64)seq << 32 | mode;
#else
	u64 word = (u64)mode << 32 | seq;
#endif
	WRITE_ONCE(*(vdso_seq_word_t *)&c->seq, word);
}

/**
 * vdso_seq_open() - start to write a record
 * @c:	the record
 *
 * A record that a dead writer left open stays open: the number is made odd, not
 * just incremented.
 *
 * Return: the number to give to vdso_seq_close()
 */
static __always_inline u32 vdso_seq_open(struct vdso_clock *c)
{
	u32 seq = READ_ONCE(c->seq) | 1;

	if (VDSO_SEQ_WORD) {
		vdso_seq_store(c, seq, VDSO_MODE_OPEN);
	} else {
		WRITE_ONCE(c->mode, VDSO_MODE_OPEN);
		arch_vdso_wmb();	/* pairs with the rmbs of a reader: no mode, then odd */
		WRITE_ONCE(c->seq, seq);
	}
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_changed() */
	return seq;
}

/**
 * vdso_seq_close() - end a write
 * @c:		the record, open
 * @seq:	what vdso_seq_open() returned
 * @mode:	how to read it from now on
 */
static __always_inline void vdso_seq_close(struct vdso_clock *c, u32 seq, u32 mode)
{
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_begin() */
	if (VDSO_SEQ_WORD) {
		vdso_seq_store(c, seq + 1, mode);
	} else {
		WRITE_ONCE(c->seq, seq + 1);
		arch_vdso_wmb();	/* pairs with the rmbs of a reader: even, then a mode */
		WRITE_ONCE(c->mode, mode);
	}
}

#endif /* VDSO_SEQ_H */
