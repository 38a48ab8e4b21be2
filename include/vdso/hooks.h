/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The contract between the core and an architecture: the complete list of what
 * arch/<arch>/include/asm/vdso/ supplies, and the defaults for what it may leave
 * out. A hook is a static inline function plus "#define name name"; without the
 * #define compilers complain of two functions.
 *
 * asm/vdso/barrier.h
 *
 *   void arch_vdso_rmb(void)				required
 *	After it: loads that come later in program order see memory no older
 *	than the loads before it did. Orders loads against loads only. Called by
 *	readers: between the loads of a record and the one that closes the read,
 *	and between a mode and a word that it vouches for (time zone, time()).
 *   void arch_vdso_wmb(void)				required
 *	The same for stores against stores. Called by the writer only: around what
 *	it stores in a record.
 *   void arch_vdso_relax(void)				default: compiler barrier
 *	A hint that the caller spins. Called between two attempts at a read.
 *   u32 arch_vdso_load_acquire(const u32 *word)	default: load, arch_vdso_rmb()
 *	Loads *@word, and loads that come later in program order see memory no
 *	older than this one did. Called to open a read, for the sequence counter.
 *
 * asm/vdso/counter.h
 *
 *   bool arch_vdso_read_counter(u32 mode, struct vdso_cycles *cycles)
 *							required
 *	Reads the counter of @mode if that takes no more than an instruction or
 *	two. Pre: the record's sequence counter has been read, a barrier and the
 *	load of @mode came after it. Post: true, and the counter was read after
 *	that load of the sequence counter and before all loads behind the next
 *	arch_vdso_rmb(): the one that closes the read, and the caller's. It may need
 *	arch_vdso_counter_zero() for that, or the header shows that no time can go
 *	back for want of it. Or false, nothing read: @mode is not such a counter
 *	(any number may come).
 *   unsigned long arch_vdso_counter_zero(struct vdso_cycles cycles)
 *							default: 0
 *	0, but computed from @cycles: it is added to the address of one load of
 *	the record, in front of the arch_vdso_rmb() before the closing load. For
 *	CPUs on which a load waits for a counter that its address depends on, and
 *	else does not: what is behind the barrier then waits for that load.
 *   struct vdso_cycles arch_vdso_delta(struct vdso_cycles cycles, const u64 *last)
 *							default: @cycles - *@last
 *	The difference modulo 2^64, for CPUs that read a counter in halves and
 *	subtract best that way: once it is defined, the core looks at the halves of
 *	the result, not at 64 bits. Called once the counter was read.
 *   unsigned long arch_vdso_scale(u64 delta, u32 mult, u64 nsec, u32 shift)
 *							default: in C
 *	(@delta * @mult + @nsec) >> @shift, for CPUs for which compilers make
 *	too much of it. @delta fits 32 bits, the sum 64, the result an unsigned
 *	long; @shift is 0 to 31. Called on the fast paths only; longer ways are in C.
 *   enum vdso_read arch_vdso_read_complex(u32 mode, const struct vdso_page *page,
 *					   u64 *cycles)	default: VDSO_READ_SYSCALL
 *	The same, in the same place and order, for counters that need pages and
 *	protocols of their own. @page is the first page of the mapping.
 *	VDSO_READ_AGAIN if the other side was writing, VDSO_READ_SYSCALL if the
 *	counter can't be used now. Called on the slow path only, for a mode that
 *	arch_vdso_read_counter() does not know.
 *   ARCH_VDSO_COUNTER					required
 *	The name in <linux/counter_calibration.h> of the counter that a program can
 *	read itself.
 *   ARCH_VDSO_PROGRAM_MODES				default: 1
 *	So many modes, from VDSO_MODE_ARCH on, count that counter's cycles.
 *
 * asm/vdso/pages.h (only #defines: the linker script reads it)
 *
 *   ARCH_VDSO_PAGES					required
 *	How many pages the mapping has in front of the image: the data page, the
 *	second page (time namespaces), then the architecture's own.
 *   ARCH_VDSO_PAGE_SIZE				required
 *	The smallest unit of a mapping, in bytes.
 *   ARCH_VDSO_EXIDX					default: not defined
 *	Defined: the ABI's unwind table is ARM's .ARM.exidx instead of .eh_frame.
 *   ARCH_VDSO_FILL					default: the linker's choice
 *	What fills gaps between functions, as the linker script has it: "=0".
 *
 * asm/vdso/syscall.h
 *
 *   const struct vdso_page *arch_vdso_mapping(void)	default: vdso_pages
 *	The address of vdso_pages, for CPUs that have a cheaper way to it than
 *	the compiler. Called by every exported function.
 *   __kernel_long_t arch_vdso_syscall(long nr, long a, long b, long c) required
 *	The raw system call. Returns what the kernel returns: a value or a
 *	negative errno. Must not touch the C library's errno. Called last, by every
 *	function that can't answer; unused arguments are 0.
 *   bool arch_vdso_getcpu(const struct vdso_page *page, u32 *cpu, u32 *node)
 *							default: false
 *	The number of the CPU and of its node if an instruction tells, false
 *	otherwise. @page is the first page of the mapping. Called by getcpu() only.
 *   ARCH_VDSO_NAME(x)					default: __vdso_##x
 *	The exported name of function x.
 *   ARCH_VDSO_WEAK_NAMES				default: 0
 *	1: the functions are exported by their plain names as well, as weak symbols.
 *   ARCH_VDSO_CALIBRATION_NAME				default: none
 *	One more exported name for counter_calibration.
 *
 * How to write them, step by step: Documentation/porting.md.
 */
#ifndef VDSO_HOOKS_H
#define VDSO_HOOKS_H

#include <vdso/types.h>
#include <vdso/arith.h>
#include <vdso/layout.h>
#include <vdso/result.h>

#include <asm/vdso/pages.h>
#include <asm/vdso/barrier.h>
#include <asm/vdso/counter.h>
#include <asm/vdso/syscall.h>

#ifndef arch_vdso_rmb
#error "asm/vdso/barrier.h lacks arch_vdso_rmb: see Documentation/porting.md, Barriers"
#endif
#ifndef arch_vdso_wmb
#error "asm/vdso/barrier.h lacks arch_vdso_wmb: see Documentation/porting.md, Barriers"
#endif
#ifndef arch_vdso_relax
static __always_inline void arch_vdso_relax(void)
{
	barrier();
}
#endif
#ifndef arch_vdso_load_acquire
static __always_inline u32 arch_vdso_load_acquire(const u32 *word)
{
	u32 value = READ_ONCE(*word);

	arch_vdso_rmb();
	return value;
}
#endif

#ifndef arch_vdso_read_counter
#error "asm/vdso/counter.h lacks arch_vdso_read_counter: see Documentation/porting.md, Counter"
#endif
#ifndef arch_vdso_counter_zero
static __always_inline unsigned long arch_vdso_counter_zero(struct vdso_cycles cycles)
{
	return 0;
}
#endif
/* Halves where a register holds no more, or where the architecture subtracts them. */
#ifdef arch_vdso_delta
#define ARCH_VDSO_HALVES	1
#else
#define ARCH_VDSO_HALVES	(sizeof(long) == 4)
static __always_inline struct vdso_cycles
arch_vdso_delta(struct vdso_cycles cycles, const u64 *last)
{
	return vdso_cycles(vdso_cycles_value(cycles) - *last);
}
#endif
#ifndef arch_vdso_scale
static __always_inline unsigned long arch_vdso_scale(u64 delta, u32 mult, u64 nsec, u32 shift)
{
	return vdso_shr_long(delta * mult + nsec, shift);
}
#endif
#ifndef arch_vdso_read_complex
static __always_inline enum vdso_read
arch_vdso_read_complex(u32 mode, const struct vdso_page *page, u64 *cycles)
{
	return VDSO_READ_SYSCALL;
}
#endif
#ifndef ARCH_VDSO_PROGRAM_MODES
#define ARCH_VDSO_PROGRAM_MODES	1
#endif
#ifndef ARCH_VDSO_COUNTER
#error "asm/vdso/counter.h lacks ARCH_VDSO_COUNTER: see Documentation/porting.md, Counter"
#endif
#ifndef ARCH_VDSO_PAGES
#error "asm/vdso/pages.h lacks ARCH_VDSO_PAGES: see Documentation/porting.md, Pages"
#endif
#ifndef ARCH_VDSO_PAGE_SIZE
#error "asm/vdso/pages.h lacks ARCH_VDSO_PAGE_SIZE: see Documentation/porting.md, Pages"
#endif

#ifndef arch_vdso_syscall
#error "asm/vdso/syscall.h lacks arch_vdso_syscall: see Documentation/porting.md, System call"
#endif
#ifndef arch_vdso_getcpu
static __always_inline bool
arch_vdso_getcpu(const struct vdso_page *page, u32 *cpu, u32 *node)
{
	return false;
}
#endif
#ifndef ARCH_VDSO_NAME
#define ARCH_VDSO_NAME(x)	__vdso_##x
#endif
#ifndef ARCH_VDSO_WEAK_NAMES
#define ARCH_VDSO_WEAK_NAMES	0
#endif

_Static_assert(sizeof(struct vdso_page) <= ARCH_VDSO_PAGE_SIZE,
	       "the data page must fit the smallest page");
_Static_assert(ARCH_VDSO_PAGES >= 2, "time namespaces need a second page");

#endif /* VDSO_HOOKS_H */
