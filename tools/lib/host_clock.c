// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What both sources of the conversion parameters share, and the choice between them.
 */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <unistd.h>
#include <vdso/arith.h>
#include <vdso/hooks.h>
#include "host_clock.h"
#include "host_cpu.h"

static s64 offset_ns(struct vdso_offset offset)
{
	return offset.sec * NSEC_PER_SEC + offset.nsec;
}

s64 host_syscall_ns(const struct host_clock *host, int id)
{
	struct timespec ts;
	s64 ns;

	if (syscall(SYS_clock_gettime, id, &ts))
		return -1;
	ns = (s64)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
	switch (id) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
		return ns - offset_ns(host->own_monotonic);
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return ns - offset_ns(host->own_boottime);
	}
	return ns;
}

s64 host_clock_ns(const struct vdso_timebase *base, u64 cycles)
{
	u64 delta = (cycles - base->cycle_last) & base->mask;
	struct vdso_u128 ns;

	if (delta > base->mask >> 1)
		delta = 0;
	ns = vdso_add_128_64(vdso_mul_64_32(delta, base->mult), base->nsec);
	return base->sec * NSEC_PER_SEC + (s64)vdso_shr_128(ns, base->shift).lo;
}

void host_clock_rebase(struct vdso_timebase *base, s64 ns)
{
	s64 now = base->sec * NSEC_PER_SEC + (s64)(base->nsec >> base->shift);
	s64 rest = (s64)(base->nsec & ((1ull << base->shift) - 1));
	s64 missing, cycles;

	/* Far away there is no need for it, and the product would overflow. */
	if (ns == now || !base->mult || ns - now > NSEC_PER_SEC || now - ns > NSEC_PER_SEC)
		return;
	/* The first cycle at which the line has reached @ns. */
	missing = (ns - now) * (s64)(1ull << base->shift) - rest;
	cycles = missing / base->mult + (missing > 0 && missing % base->mult);
	rest = cycles * base->mult - missing;
	/* Where a cycle lasts longer than that, the line is moved down by less than one. */
	if (rest >> base->shift)
		rest = 0;
	base->cycle_last += (u64)cycles;
	base->sec = ns / NSEC_PER_SEC;
	base->nsec = ((u64)(ns % NSEC_PER_SEC) << base->shift) + (u64)rest;
}

/* The offsets of the caller's own time namespace; all zero where there are none. */
static void read_own_namespace(struct host_clock *host)
{
	FILE *file = fopen("/proc/self/timens_offsets", "re");
	char name[32];
	long long sec;
	long nsec;

	while (file && fscanf(file, "%31s %lld %ld", name, &sec, &nsec) == 3) {
		struct vdso_offset offset = { .sec = sec, .nsec = (u32)nsec };

		if (!strcmp(name, "monotonic") || !strcmp(name, "1"))
			host->own_monotonic = offset;
		if (!strcmp(name, "boottime") || !strcmp(name, "7"))
			host->own_boottime = offset;
	}
	if (file)
		fclose(file);
}

static u32 resolution(int id)
{
	struct timespec ts;

	if (syscall(SYS_clock_getres, id, &ts) || ts.tv_sec)
		return 0;
	return (u32)ts.tv_nsec;
}

void host_clock_was_set(struct host_clock *host)
{
	struct vdso_timekeeper *base = &host->base;
	struct timezone tz = { 0 };
	struct timex timex = { 0 };

	if (!syscall(SYS_gettimeofday, NULL, &tz)) {
		base->tz_minuteswest = tz.tz_minuteswest;
		base->tz_dsttime = tz.tz_dsttime;
	}
	if (syscall(SYS_adjtimex, &timex) >= 0)
		base->tai_offset = timex.tai;
	base->alarm_clocks = host_syscall_ns(host, CLOCK_REALTIME_ALARM) >= 0;
	base->real.res = resolution(CLOCK_MONOTONIC);
	base->raw.res = resolution(CLOCK_MONOTONIC_RAW);
	base->coarse_res = resolution(CLOCK_MONOTONIC_COARSE);
}

static void host_clock_prepare(struct host_clock *host)
{
	memset(host, 0, sizeof(*host));
	read_own_namespace(host);
	host_clock_was_set(host);
	host->counter = host_cpu_counter();
}

int host_clock_open(struct host_clock *host, char *why, size_t why_size)
{
	host_clock_prepare(host);
	if (!host_vvar_open(host))
		return 0;
	return host_calibrate_open(host, why, why_size);
}

int host_clock_open_calibrated(struct host_clock *host, char *why, size_t why_size)
{
	host_clock_prepare(host);
	return host_calibrate_open(host, why, why_size);
}

bool host_clock_changed(const struct host_clock *host)
{
	if (!host->vvar)
		return host_syscall_ns(host, CLOCK_MONOTONIC_COARSE) != host->coarse_ns;
	return host_vvar_sequence(host) != host->sequence;
}

/* The sources say which counter there is; which way to read this CPU's own is our choice. */
static u32 host_clock_mode(const struct host_clock *host, u32 mode)
{
	return mode == VDSO_MODE_ARCH || host->counter == VDSO_MODE_SYSCALL ? host->counter : mode;
}

bool host_clock_snapshot(struct host_clock *host, struct vdso_timekeeper *tk)
{
	u32 before = host->sequence;

	if (host->vvar)
		host_vvar_read(host, tk);
	else
		host_calibrate(host, tk);
	tk->real.mode = host_clock_mode(host, tk->real.mode);
	tk->raw.mode = host_clock_mode(host, tk->raw.mode);
	host->mode = tk->real.mode;
	return host->sequence != before;
}

void host_clock_describe(const struct host_clock *host, char *text, size_t size)
{
	const char *read = host->counter == VDSO_MODE_SYSCALL ? "not used" :
			   host_cpu_counter_name(host->mode);

	if (host->vvar)
		snprintf(text, size,
			 "clocks from [vvar] (layout of %s), exact; counter: %s",
			 host_vvar_name(host), read);
	else
		snprintf(text, size,
			 "clocks calibrated against the system calls, at most %u ns behind; counter: %s",
			 host->bracket_ns, read);
}
