// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The Hyper-V reference TSC page, with the test as hypervisor: the reading lies
 * between what follows exactly from the TSC before and after it, and the
 * hypervisor's rules are kept.
 */
#include "../core/core.h"
#include "../core/exact.h"
#include "step.h"

static struct hyperv_tsc_page *info;
static unsigned long calls;

long test_syscall(long nr, long a, long b, long c)
{
	calls++;
	return 0;
}

static u64 tsc(void)
{
	return vdso_cycles_value(rdtsc_after_lfence());
}

/* Units of 100 ns at a TSC value, as the hypervisor's interface defines it. */
static u64 model(const struct hyperv_tsc_page *hv, u64 cycles)
{
	return exact_high(exact_mul_add(cycles, hv->scale, 0)) + (u64)hv->offset;
}

static bool between(const struct hyperv_tsc_page *hv, u64 before, u64 got, u64 after)
{
	return got - model(hv, before) <= model(hv, after) - model(hv, before);
}

static enum vdso_read read_hvclock(u64 *time)
{
	return arch_vdso_read_complex(VDSO_MODE_HVCLOCK, vdso_pages, time);
}

static void random_info(void)
{
	info->sequence = (u32)random_u64() | 1;
	info->scale = random_below(4) ? random_bits(64) : ~0ull;
	info->offset = (s64)random_u64();
}

static void test_values(void)
{
	for (int i = 0; i < 200000; i++) {
		u64 before, time = 0, after;
		enum vdso_read result;

		random_info();
		before = tsc();
		result = read_hvclock(&time);
		after = tsc();
		expect(result == VDSO_READ_DONE && between(info, before, time, after),
		       "scale %#llx, offset %#llx", info->scale, (u64)info->offset);
	}
	conclude("the time is exact for every scale and offset");
}

static void test_invalid(void)
{
	u64 time;

	random_info();
	info->sequence = 0;
	ok(read_hvclock(&time) == VDSO_READ_SYSCALL, "sequence 0: the system call");
}

/* The hypervisor updates at each instruction of the read in turn. */
static struct hyperv_tsc_page next;
static unsigned long act_at;
static enum vdso_read result;
static u64 got;

static void read_once(void)
{
	result = read_hvclock(&got);
}

static bool update_at_step(unsigned long step)
{
	if (step < act_at)
		return true;
	*info = next;
	return false;
}

static void test_update_meanwhile(void)
{
	act_at = 0;
	do {
		struct hyperv_tsc_page old;
		u64 before, after;

		random_info();
		info->scale = 1ull << 60;
		old = next = *info;
		next.sequence += 2;
		next.scale = 1ull << 59;
		next.offset += 1ll << 61;
		before = tsc();
		single_step(read_once, update_at_step);
		after = tsc();
		expect(result == VDSO_READ_AGAIN ||
		       (result == VDSO_READ_DONE && (between(&old, before, got, after) ||
						     between(&next, before, got, after))),
		       "updated before instruction %lu: a mixture", act_at);
	} while (steps > act_at++);
	conclude("an update at every instruction of the read: old, new, or again");
}

static void test_clock(void)
{
	struct vdso_timekeeper tk = {
		.real = {
			.mode = VDSO_MODE_HVCLOCK, .mult = 100u << 8, .shift = 8,
			.cycle_last = 1000, .mask = ~0ull, .sec = 50,
		},
		.raw = { .mode = VDSO_MODE_HVCLOCK },
	};
	struct counter_calibration cal;
	struct old_time ts;

	/* A scale so small that the TSC adds nothing: the time stands where the test puts it. */
	*info = (struct hyperv_tsc_page){ .sequence = 1, .scale = 1, .offset = 1007 };
	vdso_update(vdso_pages, &tk);
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(!calls && ts.sec == 50 && ts.part == 700, "time");
	info->offset += 10000000;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(!calls && ts.sec == 51 && ts.part == 700, "time a second later");
	expect(__vdso_counter_calibration(&cal) == COUNTER_CALIBRATION_NO_COUNTER,
	       "calibration of a clock that rdtsc does not read");
	info->sequence = 0;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(calls == 1, "not valid");
	conclude("as clock source: served, or by system call");
}

int main(void)
{
	random_seed();
	info = (void *)((char *)vdso_pages + VDSO_HVCLOCK_PAGE * ARCH_VDSO_PAGE_SIZE);
	test_values();
	test_invalid();
	test_update_meanwhile();
	test_clock();
	return tap_done();
}
