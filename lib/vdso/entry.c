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

/* @nr: the system call to fall back to; the old one also means an old timespec. */
static __noinline __cold int
vdso_clock_gettime_slow(__kernel_clockid_t id, void *ts, long nr)
{
	struct vdso_time t;

	if ((u32)id >= VDSO_CLOCKS || !vdso_read_slow(vdso_pages, (u32)id, &t))
		return (int)arch_vdso_syscall(nr, id, (long)ts, 0);
	vdso_put_timespec(ts, nr == __NR_clock_gettime, t.sec, t.nsec);
	return 0;
}

static __always_inline int vdso_clock_gettime(__kernel_clockid_t id, void *ts, long nr)
{
	struct vdso_time t;

	if (unlikely((u32)id >= VDSO_CLOCKS ||
		     !vdso_read_fast(&vdso_pages->clock[(u32)id], &t)))
		return vdso_clock_gettime_slow(id, ts, nr);
	vdso_put_timespec(ts, nr == __NR_clock_gettime, t.sec, t.nsec);
	return 0;
}

static __always_inline int vdso_clock_getres(__kernel_clockid_t id, void *ts, long nr)
{
	u32 res = 0;

	if (likely((u32)id < VDSO_CLOCKS))
		res = READ_ONCE(vdso_real_page(vdso_pages)->clock[(u32)id].res);
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

static __always_inline void vdso_put_timeval(__kernel_long_t *tv, const struct vdso_time *t)
{
	tv[0] = (__kernel_long_t)t->sec;
	tv[1] = (u32)t->nsec / NSEC_PER_USEC;
}

static __noinline __cold int vdso_gettimeofday_slow(__kernel_long_t *tv, s32 *tz)
{
	const struct vdso_page *real = vdso_real_page(vdso_pages);
	struct vdso_time t;

	/* Coarse clocks need no counter: if they are not served, nobody keeps the zone either. */
	if ((tz && READ_ONCE(real->clock[CLOCK_REALTIME_COARSE].mode) != VDSO_MODE_COARSE) ||
	    (tv && !vdso_read_slow(vdso_pages, CLOCK_REALTIME, &t)))
		return (int)arch_vdso_syscall(__NR_gettimeofday, (long)tv, (long)tz, 0);
	if (tv)
		vdso_put_timeval(tv, &t);
	if (tz) {
		tz[0] = READ_ONCE(real->tz_minuteswest);
		tz[1] = READ_ONCE(real->tz_dsttime);
	}
	return 0;
}

/* @tv: struct timeval, @tz: struct timezone (two 32-bit numbers); both may be NULL. */
VDSO_EXPORT(int, gettimeofday, __kernel_long_t *tv, s32 *tz)
{
	struct vdso_time t;

	if (unlikely(!tv || tz || !vdso_read_fast(&vdso_pages->clock[CLOCK_REALTIME], &t)))
		return vdso_gettimeofday_slow(tv, tz);
	vdso_put_timeval(tv, &t);
	return 0;
}

#ifdef __NR_time
/*
 * time() is CLOCK_REALTIME as of the last tick: the kernel's time() does not look
 * at the counter either. One attempt will do: if the writer is at work just now,
 * the system call has the answer.
 */
VDSO_EXPORT(__kernel_long_t, time, __kernel_long_t *out)
{
	const struct vdso_page *real = vdso_real_page(vdso_pages);
	const struct vdso_clock *c = &real->clock[CLOCK_REALTIME_COARSE];
	u32 seq = vdso_seq_begin(c);
	u32 mode = READ_ONCE(c->mode);
	__kernel_long_t sec = (__kernel_long_t)c->sec;

	if (unlikely(seq & 1 || mode != VDSO_MODE_COARSE || vdso_seq_changed(c, seq)))
		return arch_vdso_syscall(__NR_time, (long)out, 0, 0);
	if (out)
		*out = sec;
	return sec;
}
#endif

VDSO_EXPORT(int, getcpu, u32 *cpu, u32 *node, void *unused)
{
	u32 this_cpu, this_node;

	if (unlikely(!arch_vdso_getcpu(vdso_pages, &this_cpu, &this_node)))
		return (int)arch_vdso_syscall(__NR_getcpu, (long)cpu, (long)node, (long)unused);
	if (cpu)
		*cpu = this_cpu;
	if (node)
		*node = this_node;
	return 0;
}
