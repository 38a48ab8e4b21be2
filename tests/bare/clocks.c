// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The image itself, called with pages of which is known what they say: every clock that they
 * serve, gettimeofday(), time(), resolutions, the time zone and the calibration, outside of a
 * time namespace and in one, against exact values.
 *
 * The counter goes on meanwhile: it is read in front of a call and behind it, and the answer has
 * to be between what is exact at the one and at the other. Where an emulator refuses to read
 * it, the test says what it reads.
 */
#include <asm/signal.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/mman.h>
#include <linux/counter_calibration.h>

#include <vdso/entry.h>
#include <vdso/update.h>

#include "../../tools/lib/trap/trap.h"
#include "../core/exact.h"
#include "bare.h"

/* In image.S. */
extern char bare_pages[] __hidden, bare_image[] __hidden, bare_image_end[] __hidden;

static struct vdso_timekeeper tk;
static const struct vdso_offset no_offset;

/* Of a time namespace, or 0. */
static struct vdso_offset ns_monotonic, ns_boottime;

/* Finding a function in the image. */

#if __SIZEOF_LONG__ == 8
#define ELF(type)	Elf64_##type
#else
#define ELF(type)	Elf32_##type
#endif

static const void *dynamic(long tag)
{
	const ELF(Ehdr) *ehdr = (const void *)bare_image;
	const ELF(Phdr) *phdr = (const void *)(bare_image + ehdr->e_phoff);
	const ELF(Dyn) *dyn;

	while (phdr->p_type != PT_DYNAMIC)
		phdr++;
	for (dyn = (const void *)(bare_image + phdr->p_vaddr); dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == tag)
			return bare_image + dyn->d_un.d_ptr;
	give_up("the image lacks a dynamic table");
}

static bool same_text(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* NULL if the image does not export it. */
static void *function(const char *name)
{
	const ELF(Sym) *symbol = dynamic(DT_SYMTAB);
	const char *names = dynamic(DT_STRTAB);
	u32 count = ((const u32 *)dynamic(DT_HASH))[1];

	for (u32 i = 1; i < count; i++)
		if (same_text(names + symbol[i].st_name, name))
			return bare_image + symbol[i].st_value;
	return NULL;
}

#define FUNCTION(name)	function(VDSO_STRING(ARCH_VDSO_NAME(name)))

/* The counter. */

#define REFUSED_COUNTER	((u64)1 << 40)
static bool counter_refused;

/*
 * rt_sigaction() has one argument more than the hook passes on. ABIs that never had the older
 * call have no such emulator.
 */
#ifdef __NR_sigaction
static void on_sigill(int number, void *info, void *ucontext)
{
	counter_refused = true;
	if (!trap_emulate(ucontext, REFUSED_COUNTER))
		give_up("an instruction that the CPU does not know");
}

static void carry_out_refused(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_handler = (__sighandler_t)(void *)on_sigill;
	arch_vdso_syscall(__NR_sigaction, SIGILL, (long)&action, 0);
}
#else
static void carry_out_refused(void)
{
}
#endif

static u64 counter(void)
{
	struct vdso_cycles cycles;

	if (!arch_vdso_read_counter(VDSO_MODE_ARCH, &cycles))
		give_up("the architecture's first mode is no counter");
	return vdso_cycles_value(cycles);
}

/* What is exact. */

static u64 offset_ns(struct vdso_offset offset)
{
	return (u64)offset.sec * NSEC_PER_SEC + offset.nsec;
}

static u64 line_ns(const struct vdso_timebase *base, u64 cycles)
{
	u64 delta = cycles - base->cycle_last;
	struct exact sum;

	if (delta >> 63)
		delta = 0;
	sum = exact_mul_add(delta, base->mult, base->nsec);
	return base->sec * NSEC_PER_SEC + exact_low(exact_shift_right(sum, base->shift));
}

static bool is_coarse(int id)
{
	return id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
}

/* What is added to the timekeeper's base. */
static u64 own_offset_ns(int id)
{
	u64 monotonic = offset_ns(tk.wall_to_monotonic) + offset_ns(ns_monotonic);

	switch (id) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_COARSE:
		return monotonic;
	case CLOCK_MONOTONIC_RAW:
		return offset_ns(ns_monotonic);
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return offset_ns(tk.wall_to_monotonic) + offset_ns(tk.monotonic_to_boot) +
		       offset_ns(ns_boottime);
	case CLOCK_TAI:
		return (u64)tk.tai_offset * NSEC_PER_SEC;
	}
	return 0;
}

static u64 clock_ns(int id, u64 cycles)
{
	const struct vdso_timebase *base = &tk.real;

	if (id == CLOCK_MONOTONIC_RAW)
		base = &tk.raw;
	else if (id >= CLOCK_AUX)
		base = &tk.aux[id - CLOCK_AUX];
	return line_ns(base, is_coarse(id) ? base->cycle_last : cycles) + own_offset_ns(id);
}

/* The calls. */

static void check_gettime(const char *name, bool narrow, int id)
{
	int (*gettime)(__kernel_clockid_t, void *) = function(name);
	u64 before = counter(), got;
	s32 old[2] = { -1, -1 };
	s64 new[2] = { -1, -1 };
	int error = gettime(id, narrow ? (void *)old : new);
	u64 after = counter();

	if (narrow)
		new[0] = old[0], new[1] = old[1];
	got = (u64)new[0] * NSEC_PER_SEC + (u64)new[1];
	expect(!error && new[1] >= 0 && new[1] < NSEC_PER_SEC &&
	       clock_ns(id, before) <= got && got <= clock_ns(id, after),
	       "clock, error, seconds, nanoseconds; not from, nor to:", id, (u64)error, new[0], new[1],
	       clock_ns(id, before), clock_ns(id, after));
}

static const int served[] = {
	CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE,
	CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME, CLOCK_REALTIME_ALARM, CLOCK_BOOTTIME_ALARM,
	CLOCK_TAI, CLOCK_AUX, CLOCK_AUX + 7,
};

static void check_clocks(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(served); i++) {
		if (served[i] >= CLOCK_AUX && !(tk.aux_enabled >> (served[i] - CLOCK_AUX) & 1))
			continue;
		check_gettime(VDSO_STRING(ARCH_VDSO_NAME(clock_gettime)),
			      sizeof(__kernel_long_t) == 4, served[i]);
#ifdef __NR_clock_gettime64
		check_gettime(VDSO_STRING(ARCH_VDSO_NAME(clock_gettime64)), false, served[i]);
#endif
	}
}

static void check_gettimeofday(void)
{
	int (*gettimeofday)(__kernel_long_t *, s32 *) = FUNCTION(gettimeofday);
	__kernel_long_t tv[2] = { -1, -1 };
	u64 before, after, got;
	s32 tz[2] = { 0 };
	int error;

	if (!gettimeofday)
		return;
	before = counter();
	error = gettimeofday(tv, tz);
	after = counter();
	got = (u64)tv[0] * NSEC_PER_SEC + (u64)tv[1] * NSEC_PER_USEC;
	expect(!error && tv[1] >= 0 && tv[1] < NSEC_PER_SEC / NSEC_PER_USEC &&
	       clock_ns(CLOCK_REALTIME, before) < got + NSEC_PER_USEC &&
	       got <= clock_ns(CLOCK_REALTIME, after),
	       "gettimeofday: error, seconds, microseconds:", (u64)error, tv[0], tv[1]);
	expect(tz[0] == tk.tz_minuteswest && tz[1] == tk.tz_dsttime, "time zone:", (u64)tz[0], (u64)tz[1]);
	before = counter();
	error = gettimeofday(tv, NULL);
	got = (u64)tv[0] * NSEC_PER_SEC + (u64)tv[1] * NSEC_PER_USEC;
	expect(!error && clock_ns(CLOCK_REALTIME, before) < got + NSEC_PER_USEC &&
	       got <= clock_ns(CLOCK_REALTIME, counter()),
	       "gettimeofday without a zone: error, seconds, microseconds:", (u64)error, tv[0], tv[1]);
}

static void check_time(void)
{
#ifdef __NR_time
	__kernel_long_t (*time)(__kernel_long_t *) = FUNCTION(time);
	__kernel_long_t stored = -1, returned = time(&stored);

	expect(returned == stored && returned == (__kernel_long_t)tk.real.sec,
	       "time: returned, stored, not:", returned, stored, tk.real.sec);
#endif
}

static void check_calibration(void)
{
	counter_calibration_fn calibrate = FUNCTION(counter_calibration);
	struct counter_calibration cal = { 0 };
	u64 cycles = counter();
	int error;

	if (!calibrate)
		return;
	error = calibrate(&cal);
	expect(!error && cal.counter == ARCH_VDSO_COUNTER && cal.khz == tk.counter_khz &&
	       cal.mask == tk.real.mask, "calibration: error, counter, kHz, mask:", (u64)error,
	       cal.counter, cal.khz, cal.mask);
	/* It goes back from the base, too: the clocks do not. */
	if (cycles - tk.real.cycle_last > cal.monotonic.max_delta ||
	    cycles - tk.real.cycle_last > cal.raw.max_delta)
		return;
	expect(counter_clock_ns(&cal.monotonic, cycles) == clock_ns(CLOCK_MONOTONIC, cycles) &&
	       counter_clock_ns(&cal.raw, cycles) == clock_ns(CLOCK_MONOTONIC_RAW, cycles),
	       "converted, not: MONOTONIC, RAW:", counter_clock_ns(&cal.monotonic, cycles),
	       clock_ns(CLOCK_MONOTONIC, cycles), counter_clock_ns(&cal.raw, cycles),
	       clock_ns(CLOCK_MONOTONIC_RAW, cycles));
}

static void check_all(void)
{
	check_clocks();
	check_gettimeofday();
	check_time();
	check_calibration();
}

/* The pages. */

static struct vdso_page *page(int number)
{
	return (void *)(bare_pages + number * ARCH_VDSO_PAGE_SIZE);
}

static void fill(u64 delta, u32 mult, u32 shift, u64 nsec)
{
	const struct vdso_timebase real = {
		.mode = VDSO_MODE_ARCH, .mult = mult, .shift = shift, .res = 3,
		.cycle_last = counter() - delta, .mask = U64_MAX, .sec = 1700000000, .nsec = nsec,
	};
	struct vdso_timebase raw = real, aux = real;
	bool namespace = ns_monotonic.sec;

	raw.sec = 5000;
	raw.mult ^= 1;
	raw.res = 5;
	aux.sec = 600000000;
	aux.nsec /= 2;
	tk = (struct vdso_timekeeper){
		.real = real, .raw = raw,
		.wall_to_monotonic = { -1699990000, 123456789 },
		.monotonic_to_boot = { 777, 987654321 },
		.tai_offset = 37, .coarse_res = 4000000, .counter_khz = 62500, .alarm_clocks = true,
		.aux_enabled = 0x81, .aux[0] = aux, .aux[7] = real,
		.tz_minuteswest = -754, .tz_dsttime = 7,
	};
	vdso_update(page(namespace), &tk);
	if (namespace)
		vdso_fill_timens(page(0), page(1), &ns_monotonic, &ns_boottime);
}

/* A tick as most are: the writer stores what has changed, and for that knows halves of fields. */
static void check_tick(void)
{
	fill(1000, 0x50000001, 31, 0x123456789abcdef);
	tk.aux_enabled = 0;
	tk.raw.res = tk.real.res;
	for (int tick = 0; tick < 5; tick++) {
		tk.real.sec++;
		tk.real.nsec += tick * 0x123456789abcdef;
		tk.raw.nsec += tick * 0xfedcba98765432;
		vdso_update(page(ns_monotonic.sec != 0), &tk);
		check_all();
	}
}

#define SECOND		(1000000000ull)
/* So slow that the time is the same in front of a call and behind it, as a rule. */
#define SLOW_SHIFT	31
#define SLOW_MULT	((1u << 20) - 3)

static void test_pages(const char *what)
{
	fill(1234567890, SLOW_MULT, SLOW_SHIFT, 123456789ull << SLOW_SHIFT | 0x5a5a5a5a);
	check_all();
	/* The last of the second, and the next one. */
	fill(0, SLOW_MULT, SLOW_SHIFT, (SECOND << SLOW_SHIFT) - 1);
	check_all();
	fill(4000000000u, SLOW_MULT, SLOW_SHIFT, 999999999ull << SLOW_SHIFT);
	check_all();
	/* Seconds, in 64 bits and in more. */
	fill((u64)1 << 45 | 12345, SLOW_MULT, SLOW_SHIFT, 5);
	check_all();
	fill((u64)3 << 60, 2, SLOW_SHIFT, 5);
	check_all();
	/* Behind the base. */
	fill(0 - ((u64)1 << 40), SLOW_MULT, SLOW_SHIFT, 5ull << SLOW_SHIFT);
	check_all();
	check_tick();
	for (int round = 0; round < 200; round++) {
		u32 shift = random_upto(31);
		u32 bits = (counter_refused ? 31 : 20) * (shift + 1) / 32;

		fill((u32)random_number(), ((u32)random_number() & ((1u << bits) - 1)) | 2, shift,
		     ((u64)random_upto(999999999) << shift) + random_upto(((u32)1 << shift) - 1));
		check_all();
	}
	conclude(what);
}

/* The real page would be the first one again. */
static void leave_namespace(void)
{
	ns_monotonic = ns_boottime = no_offset;
}

static void test_namespace(void)
{
	static const char what[] = "in a time namespace, exact times with its offsets";

	if (!IS_ENABLED(CONFIG_VDSO_TIME_NS)) {
		skip(what, "the image is configured without time namespaces");
		return;
	}
	ns_monotonic = (struct vdso_offset){ 86400, 999999999 };
	ns_boottime = (struct vdso_offset){ -5000, 1 };
	test_pages(what);
	leave_namespace();
}

static void check_getres(const char *name, bool narrow, int id, u32 res)
{
	int (*getres)(__kernel_clockid_t, void *) = function(name);
	s32 old[2] = { -1, -1 };
	s64 new[2] = { -1, -1 };
	int error = getres(id, narrow ? (void *)old : new);

	if (narrow)
		new[0] = old[0], new[1] = old[1];
	expect(!error && !new[0] && new[1] == res, "clock, error, seconds, nanoseconds, not:", id,
	       (u64)error, new[0], new[1], res);
}

static void test_resolutions(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(served); i++) {
		int id = served[i];
		u32 res = is_coarse(id) ? tk.coarse_res : id == CLOCK_MONOTONIC_RAW ? 5 : 3;

		check_getres(VDSO_STRING(ARCH_VDSO_NAME(clock_getres)),
			     sizeof(__kernel_long_t) == 4, id, res);
#ifdef __NR_clock_gettime64
		check_getres(VDSO_STRING(ARCH_VDSO_NAME(clock_getres_time64)), false, id, res);
#endif
	}
	conclude("resolutions are the page's");
}

static void test_fallback(void)
{
	int (*gettime)(__kernel_clockid_t, void *) = FUNCTION(clock_gettime);
	__kernel_long_t ts[2] = { -1, -1 };

	ok(!gettime(CLOCK_PROCESS_CPUTIME_ID, ts) && ts[0] >= 0 && ts[0] < 1000 && ts[1] >= 0 &&
	   ts[1] < NSEC_PER_SEC && gettime(VDSO_CLOCKS + 1000, ts) == -EINVAL,
	   "what no page serves is the system call's");
	vdso_stop(page(0));
	ts[0] = 0;
	ok(!gettime(CLOCK_MONOTONIC, ts) && (ts[0] || ts[1]) && gettime(CLOCK_AUX, ts) ==
	   (int)arch_vdso_syscall(__NR_clock_gettime, CLOCK_AUX, (long)ts, 0),
	   "and so is what a page has ceased to serve");
}

void bare_test(void)
{
	if (arch_vdso_syscall(__NR_mprotect, (long)bare_image, bare_image_end - bare_image,
			      PROT_READ | PROT_EXEC))
		give_up("the image cannot be made executable");
	carry_out_refused();
	counter();
	test_pages("exact times of every clock, gettimeofday, time, calibration");
	test_resolutions();
	/* Last of the pages that serve: the first one is another one there. */
	test_namespace();
	test_fallback();
}
