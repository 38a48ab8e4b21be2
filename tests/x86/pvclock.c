// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * KVM's and Xen's clock, with the test as hypervisor: the reading lies between
 * what follows exactly from the TSC before and after it, and the hypervisor's
 * rules are kept.
 */
#include "../core/core.h"
#include "../core/exact.h"
#include "step.h"

static struct pvclock_time_info *info;
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

/* ns at a TSC value, as the hypervisor's interface defines it. */
static u64 model(const struct pvclock_time_info *pv, u64 cycles)
{
	u64 delta = cycles < pv->tsc_timestamp ? 0 : cycles - pv->tsc_timestamp;

	delta = pv->tsc_shift < 0 ? delta >> -pv->tsc_shift : delta << pv->tsc_shift;
	return pv->system_time +
	       exact_low(exact_shift_right(exact_mul_add(delta, pv->tsc_to_system_mul, 0), 32));
}

static bool between(const struct pvclock_time_info *pv, u64 before, u64 got, u64 after)
{
	return got - model(pv, before) <= model(pv, after) - model(pv, before);
}

static enum vdso_read read_pvclock(u64 *ns)
{
	return arch_vdso_read_complex(VDSO_MODE_PVCLOCK, vdso_pages, ns);
}

/* As any hypervisor might have it, as far as its own product does not overflow. */
static void random_info(void)
{
	s8 shift = (s8)(random_below(63) - 31);

	info->version = (u32)random_u64() & ~1u;
	info->tsc_shift = shift;
	info->tsc_timestamp = tsc() - random_bits(shift < 0 ? 40 : 30);
	info->system_time = random_bits(62);
	info->tsc_to_system_mul = random_below(8) ? (u32)random_bits(32) : U32_MAX;
	info->flags = PVCLOCK_TSC_STABLE | (u8)random_u64();
}

static void test_values(void)
{
	for (int i = 0; i < 200000; i++) {
		u64 before, ns = 0, after;
		enum vdso_read result;

		random_info();
		before = tsc();
		result = read_pvclock(&ns);
		after = tsc();
		expect(result == VDSO_READ_DONE && between(info, before, ns, after),
		       "mul %#x, shift %d", info->tsc_to_system_mul, info->tsc_shift);
	}
	conclude("the time is exact for every multiplier and shift, either way");
}

static void test_rules(void)
{
	u64 ns = 0;

	for (int i = 0; i < 1000; i++) {
		random_info();
		info->tsc_timestamp = tsc() + (1ull << 40);
		expect(read_pvclock(&ns) == VDSO_READ_DONE && ns == info->system_time,
		       "TSC behind the stamp");
		info->version |= 1;
		expect(read_pvclock(&ns) == VDSO_READ_AGAIN, "odd version");
		info->version++;
		info->flags &= (u8)~PVCLOCK_TSC_STABLE;
		expect(read_pvclock(&ns) == VDSO_READ_SYSCALL, "not stable");
	}
	conclude("behind the stamp: the stamp's time; odd version: again; not stable: system call");
}

/* The hypervisor updates at each instruction of the read in turn. */
static struct pvclock_time_info next;
static unsigned long act_at;
static enum vdso_read result;
static u64 got;

static void read_once(void)
{
	result = read_pvclock(&got);
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
		struct pvclock_time_info old;
		u64 before, after;

		random_info();
		info->tsc_shift = -1;
		info->tsc_to_system_mul = 1u << 31;
		old = next = *info;
		next.version += 2;
		next.system_time += 1ull << 50;
		next.tsc_timestamp -= 1ull << 55;
		next.tsc_to_system_mul = 1u << 30;
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

/* The clock as clock source: through a record, in a namespace or not. */
static void use_pvclock(struct vdso_page *page)
{
	struct vdso_timekeeper tk = {
		.real = {
			.mode = VDSO_MODE_PVCLOCK, .mult = 1u << 8, .shift = 8,
			.cycle_last = 1000, .mask = ~0ull, .sec = 50,
		},
		.raw = { .mode = VDSO_MODE_PVCLOCK },
	};

	random_info();
	info->system_time = 1000;
	info->tsc_timestamp = tsc() + (1ull << 40);
	vdso_update(page, &tk);
}

static void check_clock(long sec)
{
	struct old_time ts = { 0 };

	calls = 0;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(!calls && ts.sec == sec && ts.part == 0, "time");
	info->system_time = 1000000000 + 1000 + 5;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(!calls && ts.sec == sec + 1 && ts.part == 5, "time a second later");
	info->version |= 1;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(calls == 1, "odd version for ever");
	info->version++;
	info->flags = 0;
	__vdso_clock_gettime(CLOCK_REALTIME, &ts);
	expect(calls == 2, "not stable");
}

static void test_clock(void)
{
	const struct vdso_offset none = { 0 };
	struct counter_calibration cal;

	use_pvclock(vdso_pages);
	check_clock(50);
	expect(__vdso_counter_calibration(&cal) == COUNTER_CALIBRATION_NO_COUNTER,
	       "calibration of a clock that rdtsc does not read");
	memset(vdso_pages, 0, 2 * ARCH_VDSO_PAGE_SIZE);
	vdso_fill_timens(vdso_pages, second_page(), &none, &none);
	use_pvclock(second_page());
	check_clock(50);
	conclude("as clock source, in a time namespace too: served, or by system call");
}

int main(void)
{
	random_seed();
	info = (void *)((char *)vdso_pages + VDSO_PVCLOCK_PAGE * ARCH_VDSO_PAGE_SIZE);
	test_values();
	test_rules();
	test_update_meanwhile();
	test_clock();
	return tap_done();
}
