// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The exported functions: thin wrappers around the readers, with the system call
 * behind each. All return 0 or a negative errno, as every vDSO does; pointers
 * are used as given, so one that the caller can't access is the caller's SIGSEGV.
 *
 * On 32-bit ABIs the functions with an old struct timespec fall back to the old
 * system calls and the others to the _time64 ones: sandboxes allow exactly those.
 */
#include <vdso/reader.h>
#include <vdso/entry.h>

/* The ABI's own struct timespec and struct timeval are two of these. */
#define VDSO_OLD_32BIT	(sizeof(__kernel_long_t) == 4)

/* @t into a struct timespec: two 32-bit numbers in the old one of a 32-bit ABI, else 64-bit. */
static __always_inline void
vdso_put_timespec(void *ts, bool old, s64 sec, unsigned long nsec)
{
	if (VDSO_OLD_32BIT && old) {
		((s32 *)ts)[0] = (s32)sec;
		((s32 *)ts)[1] = (s32)nsec;
	} else {
		((s64 *)ts)[0] = sec;
		((s64 *)ts)[1] = (s64)nsec;
	}
}

static __always_inline void vdso_put_timeval(__kernel_long_t *tv, const struct vdso_time *t)
{
	tv[0] = (__kernel_long_t)t->sec;
	tv[1] = (u32)t->nsec / NSEC_PER_USEC;
}

/* @t into what the function whose system call is @nr gives. */
static __always_inline void vdso_put_time(void *out, const struct vdso_time *t, long nr)
{
	if (nr == __NR_gettimeofday)
		vdso_put_timeval(out, t);
	else
		vdso_put_timespec(out, nr == __NR_clock_gettime, t->sec, t->nsec);
}

/* Coarse clocks need no counter: where they are not served, nobody keeps the zone either. */
static __always_inline bool vdso_put_timezone(s32 *tz)
{
	const struct vdso_page *real = vdso_real_page(vdso_mapping());

	if (READ_ONCE(real->clock[CLOCK_REALTIME_COARSE].mode) != VDSO_MODE_COARSE)
		return false;
	arch_vdso_rmb();	/* pairs with the last wmb in vdso_seq_close() */
	tz[0] = READ_ONCE(real->tz_minuteswest);
	tz[1] = READ_ONCE(real->tz_dsttime);
	return true;
}

/*
 * What the fast paths leave over, for all of them: one function keeps the image
 * small. @nr is the system call to fall back to and tells whose work it is; an
 * old one also means an old timespec. @first is the clock's record on the first
 * page, from which the clock id is computed again: that leaves the fast paths one
 * register more. @out: where the time goes; @tz: the zone; gettimeofday() may
 * have neither.
 */
static __noinline __cold int
vdso_slow(const struct vdso_clock *first, void *out, s32 *tz, long nr)
{
	long id = first - vdso_mapping()->clock;
	struct vdso_time t = { 0 };

	if (tz && !vdso_put_timezone(tz))
		goto syscall;
	if (!out)
		return 0;
	if (!vdso_read_slow(vdso_mapping(), first, &t))
		goto syscall;
	vdso_put_time(out, &t, nr);
	return 0;
syscall:
	if (nr == __NR_gettimeofday)
		return (int)arch_vdso_syscall(nr, (long)out, (long)tz, 0);
	return (int)arch_vdso_syscall(nr, id, (long)out, 0);
}

/*
 * What the fast paths leave over with somewhere to put it: first the attempt that is
 * the usual one in a time namespace. @out is not NULL.
 */
static __noinline __cold int vdso_timens(const struct vdso_clock *first, void *out, long nr)
{
	struct vdso_time t;

	if (unlikely(!vdso_read_timens(first, &t)))
		return vdso_slow(first, out, NULL, nr);
	vdso_put_time(out, &t, nr);
	return 0;
}

static __always_inline int vdso_clock_gettime(__kernel_clockid_t id, void *ts, long nr)
{
	const struct vdso_clock *first = &vdso_mapping()->clock[(u32)id];
	struct vdso_time t;

	if (unlikely((u32)id >= VDSO_CLOCKS))
		goto syscall;
	/* Two tests: to join them takes some CPUs more instructions than another jump. */
	vdso_keep(ts);
	if (unlikely(!ts))
		goto syscall;
	vdso_keep(first);
	if (unlikely(!vdso_read_fast(first, &t)))
		return vdso_timens(first, ts, nr);
	vdso_put_time(ts, &t, nr);
	return 0;
syscall:
	return (int)arch_vdso_syscall(nr, id, (long)ts, 0);
}

/*
 * A resolution is one word that only ever changes from one right value to the
 * next: it needs no sequence counter. 0 means that it is not served.
 */
static __always_inline int vdso_clock_getres(__kernel_clockid_t id, void *ts, long nr)
{
	u32 res = 0;

	if (likely((u32)id < VDSO_CLOCKS))
		res = READ_ONCE(vdso_mapping()->clock[(u32)id].res);
	if (unlikely(!res))
		return (int)arch_vdso_syscall(nr, id, (long)ts, 0);
	if (ts)
		vdso_put_timespec(ts, nr == __NR_clock_getres, 0, res);
	return 0;
}

VDSO_EXPORT(int, clock_gettime, __kernel_clockid_t id, void *ts)
{
	return vdso_clock_gettime(id, ts, __NR_clock_gettime);
}

VDSO_EXPORT(int, clock_getres, __kernel_clockid_t id, void *ts)
{
	return vdso_clock_getres(id, ts, __NR_clock_getres);
}

#ifdef __NR_clock_gettime64
VDSO_EXPORT(int, clock_gettime64, __kernel_clockid_t id, void *ts)
{
	return vdso_clock_gettime(id, ts, __NR_clock_gettime64);
}

VDSO_EXPORT(int, clock_getres_time64, __kernel_clockid_t id, void *ts)
{
	return vdso_clock_getres(id, ts, __NR_clock_getres_time64);
}
#endif

/* @tv: struct timeval, @tz: struct timezone (two 32-bit numbers); both may be NULL. */
VDSO_EXPORT(int, gettimeofday, __kernel_long_t *tv, s32 *tz)
{
	const struct vdso_clock *first = &vdso_mapping()->clock[CLOCK_REALTIME];
	struct vdso_time t;

	if (unlikely(!tv))
		goto slow;
	vdso_keep(tz);	/* two tests, as above */
	if (unlikely(tz))
		goto slow;
	if (unlikely(!vdso_read_plain(vdso_start(first), &t)))
		return vdso_timens(first, tv, __NR_gettimeofday);
	vdso_put_timeval(tv, &t);
	return 0;
slow:
	return vdso_slow(first, tv, tz, __NR_gettimeofday);
}

#ifdef __NR_time
/*
 * time() is CLOCK_REALTIME as of the last tick: the kernel's time() does not look
 * at the counter either. The seconds are one word, whose old and new value are
 * both right while the record says COARSE, and it does not while it is first
 * filled: that needs no sequence counter.
 */
VDSO_EXPORT(__kernel_long_t, time, __kernel_long_t *out)
{
	const struct vdso_clock *c = &vdso_mapping()->clock[CLOCK_REALTIME_COARSE];
	u32 mode = READ_ONCE(c->mode);
	__kernel_long_t sec;

	if (IS_ENABLED(CONFIG_VDSO_TIME_NS) && unlikely(mode == VDSO_MODE_TIMENS)) {
		c = vdso_behind(c);
		mode = READ_ONCE(c->mode);
	}
	if (unlikely(mode != VDSO_MODE_COARSE))
		return arch_vdso_syscall(__NR_time, (long)out, 0, 0);
	arch_vdso_rmb();	/* pairs with the last wmb in vdso_seq_close() */
	sec = (__kernel_long_t)c->sec;
	if (out)
		*out = sec;
	return sec;
}
#endif

VDSO_EXPORT(int, getcpu, u32 *cpu, u32 *node, void *unused)
{
	u32 this_cpu, this_node;

	if (unlikely(!arch_vdso_getcpu(vdso_mapping(), &this_cpu, &this_node)))
		return (int)arch_vdso_syscall(__NR_getcpu, (long)cpu, (long)node, (long)unused);
	if (cpu)
		*cpu = this_cpu;
	if (node)
		*node = this_node;
	return 0;
}
