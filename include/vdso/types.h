/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Compiler and type basics: the one header that differs between the two homes
 * of this code.
 *
 * Standalone, everything comes from the UAPI headers. Inside a Linux tree this
 * file gives way to one that takes the same names from the kernel's own headers.
 * Nothing else in lib/vdso or include/vdso may depend on where it is compiled.
 */
#ifndef VDSO_TYPES_H
#define VDSO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <asm/posix_types.h>
#include <asm/unistd.h>
/* The clock ids. UAPI and C library define the same structures and don't mix. */
#if __STDC_HOSTED__
#include <time.h>
#else
#include <linux/time.h>
#endif

typedef __u8  u8;
typedef __s8  s8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;

/* The UAPI's <linux/stddef.h> has one that only hints. */
#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define __noinline	__attribute__((__noinline__))
#define __maybe_unused	__attribute__((__unused__))
#define __cold		__attribute__((__cold__))
#define __hidden	__attribute__((__visibility__("hidden")))
#define __visible	__attribute__((__visibility__("default"), __used__))
#define __aligned(n)	__attribute__((__aligned__(n)))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* One access, neither torn nor repeated by the compiler (up to a register's width). */
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))

#define barrier()	__asm__ __volatile__("" ::: "memory")

/*
 * IS_ENABLED(CONFIG_X) is 1 if CONFIG_X is defined to 1 and 0 if it is not
 * defined: an ordinary expression, so that code that is switched off still gets
 * compiled.
 */
#define VDSO_ARG_PLACEHOLDER_1		0,
#define vdso_second_arg(ignored, val, ...)	val
#define vdso_is_defined3(junk)		vdso_second_arg(junk 1, 0, 0)
#define vdso_is_defined2(val)		vdso_is_defined3(VDSO_ARG_PLACEHOLDER_##val)
#define IS_ENABLED(option)		vdso_is_defined2(option)

#define NSEC_PER_SEC	1000000000
#define NSEC_PER_USEC	1000
#define U32_MAX		(~(u32)0)
#define U64_MAX		(~(u64)0)

/* CLOCK_AUX came to the UAPI with Linux 6.17; older headers do not have it. */
#ifndef CLOCK_AUX
#define CLOCK_AUX	16
#endif
#ifndef CLOCK_TAI
#define CLOCK_TAI	11
#endif

#endif /* VDSO_TYPES_H */
