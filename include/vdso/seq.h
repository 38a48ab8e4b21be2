/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The sequence counter of one record.
 *
 * The writer makes it odd, stores, and makes it even again. A reader that saw
 * the same even number before and after its loads has seen one version.
 */
#ifndef VDSO_SEQ_H
#define VDSO_SEQ_H

#include <vdso/hooks.h>

/**
 * vdso_seq_begin() - start to read a record
 * @c:	the record
 *
 * Return: the number to give to vdso_seq_changed(); odd: the writer is at work
 * and nothing of the record may be used.
 */
static __always_inline u32 vdso_seq_begin(const struct vdso_clock *c)
{
	u32 seq = READ_ONCE(c->seq);

	arch_vdso_rmb();	/* pairs with the first wmb in vdso_seq_close() */
	return seq;
}

/**
 * vdso_seq_changed() - end a read
 * @c:		the record
 * @seq:	what vdso_seq_begin() returned
 *
 * Return: true if the record may have changed since: what was read is worthless.
 */
static __always_inline bool vdso_seq_changed(const struct vdso_clock *c, u32 seq)
{
	arch_vdso_rmb();	/* pairs with the wmb in vdso_seq_open() */
	return READ_ONCE(c->seq) != seq;
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
	while (tries->left) {
		if (tries->left-- != VDSO_MAX_TRIES)
			arch_vdso_relax();
		tries->seq = vdso_seq_begin(c);
		if (likely(!(tries->seq & 1)))
			return true;
	}
	return false;
}

/**
 * vdso_seq_open() - start to write a record
 * @c:	the record, not open
 *
 * A record that a dead writer left open stays open: the number is made odd, not
 * just incremented.
 */
static __always_inline void vdso_seq_open(struct vdso_clock *c)
{
	WRITE_ONCE(c->seq, c->seq | 1);
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_changed() */
}

/**
 * vdso_seq_close() - end a write
 * @c:	the record, open
 */
static __always_inline void vdso_seq_close(struct vdso_clock *c)
{
	arch_vdso_wmb();	/* pairs with the rmb in vdso_seq_begin() */
	WRITE_ONCE(c->seq, c->seq + 1);
}

#endif /* VDSO_SEQ_H */
