// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../lib/tap.h"
#include "guest.h"

#ifdef __aarch64__
#define NAME(x)		"__kernel_" #x
#else
#define NAME(x)		"__vdso_" #x
#endif
#ifdef __aarch64__
#define CALIBRATION	"__kernel_counter_calibration"
#else
#define CALIBRATION	"__vdso_counter_calibration"
#endif

struct guest_vdso vdso = {
	.pairs = {
		{
			.gettime_name = NAME(clock_gettime), .getres_name = NAME(clock_getres),
			.gettime_nr = __NR_clock_gettime, .getres_nr = __NR_clock_getres,
			.narrow = sizeof(guest_long) == 4,
		},
#if CLOCK_PAIRS == 2
		{
			.gettime_name = NAME(clock_gettime64),
			.getres_name = NAME(clock_getres_time64),
			.gettime_nr = __NR_clock_gettime64,
			.getres_nr = __NR_clock_getres_time64,
		},
#endif
	},
};

struct guest_machine machine = { .seconds = 1 };

const struct guest_clock guest_clocks[GUEST_CLOCKS] = {
	{ CLOCK_REALTIME, "REALTIME", false, false },
	{ CLOCK_MONOTONIC, "MONOTONIC", false, false },
	{ CLOCK_MONOTONIC_RAW, "MONOTONIC_RAW", false, false },
	{ CLOCK_BOOTTIME, "BOOTTIME", false, false },
	{ CLOCK_TAI, "TAI", false, false },
	{ CLOCK_REALTIME_COARSE, "REALTIME_COARSE", true, false },
	{ CLOCK_MONOTONIC_COARSE, "MONOTONIC_COARSE", true, false },
	{ CLOCK_REALTIME_ALARM, "REALTIME_ALARM", false, true },
	{ CLOCK_BOOTTIME_ALARM, "BOOTTIME_ALARM", false, true },
};

/* What a lookup needs of the image's dynamic section. */
static struct {
	const ElfW(Sym)		*symbols;
	const char		*strings;
	uint32_t		count;
} elf;

/* DT_GNU_HASH does not say how many symbols there are: the longest chain does. */
static uint32_t count_by_gnu_hash(const uint32_t *hash)
{
	const uint32_t *bucket = (const uint32_t *)((const ElfW(Addr) *)(hash + 4) + hash[2]);
	const uint32_t *chain = bucket + hash[0];
	uint32_t last = 0;

	for (uint32_t i = 0; i < hash[0]; i++)
		last = bucket[i] > last ? bucket[i] : last;
	if (last < hash[1])
		return hash[1];
	while (!(chain[last - hash[1]] & 1))
		last++;
	return last + 1;
}

static void read_entry(const ElfW(Dyn) *d)
{
	const void *at = vdso.base + d->d_un.d_ptr;

	switch (d->d_tag) {
	case DT_SYMTAB:		elf.symbols = at; break;
	case DT_STRTAB:		elf.strings = at; break;
	case DT_HASH:		elf.count = ((const uint32_t *)at)[1]; break;
	case DT_GNU_HASH:	elf.count = count_by_gnu_hash(at); break;
	}
}

static void read_entries(const ElfW(Dyn) *d)
{
	for (; d->d_tag; d++)
		read_entry(d);
}

static void parse(void)
{
	const ElfW(Ehdr) *e = (const void *)vdso.base;
	const ElfW(Phdr) *p = (const void *)(vdso.base + e->e_phoff);

	for (int i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_DYNAMIC)
			read_entries((const void *)(vdso.base + p[i].p_vaddr));
}

void *guest_symbol(const char *name)
{
	for (uint32_t i = 0; i < elf.count; i++)
		if (elf.symbols[i].st_shndx != SHN_UNDEF &&
		    !strcmp(elf.strings + elf.symbols[i].st_name, name))
			return (void *)(vdso.base + elf.symbols[i].st_value);
	return NULL;
}

static void parse_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		machine.uvdso |= !strcmp(argv[i], "uvdso");
		machine.counter |= !strcmp(argv[i], "counter");
		if (!strcmp(argv[i], "-t") && i + 1 < argc)
			machine.seconds = atof(argv[++i]);
	}
}

void guest_open(int argc, char **argv)
{
	parse_arguments(argc, argv);
	vdso.base = (const char *)getauxval(AT_SYSINFO_EHDR);
	if (!vdso.base)
		return;
	parse();
	for (int i = 0; i < CLOCK_PAIRS; i++) {
		vdso.pairs[i].gettime = guest_symbol(vdso.pairs[i].gettime_name);
		vdso.pairs[i].getres = guest_symbol(vdso.pairs[i].getres_name);
	}
	vdso.gettimeofday = guest_symbol(NAME(gettimeofday));
	vdso.time = guest_symbol(NAME(time));
	vdso.getcpu = guest_symbol(NAME(getcpu));
	vdso.calibration = guest_symbol(CALIBRATION);
}

long raw_syscall(long nr, long a, long b, long c)
{
	int saved = errno;
	long ret = syscall(nr, a, b, c);

	if (ret == -1)
		ret = -errno;
	errno = saved;
	return ret;
}

bool has_clock(const struct guest_clock *clock)
{
	return syscall_ns(&vdso.pairs[0], clock->id) != INT64_MIN;
}

size_t timespec_size(const struct clock_pair *pair)
{
	return pair->narrow ? 8 : 16;
}

/* Both members of a struct timespec. */
static void split(const struct clock_pair *pair, const void *ts, int64_t parts[2])
{
	int32_t narrow[2];

	if (!pair->narrow) {
		memcpy(parts, ts, 16);
		return;
	}
	memcpy(narrow, ts, sizeof(narrow));
	parts[0] = narrow[0];
	parts[1] = narrow[1];
}

int64_t timespec_ns(const struct clock_pair *pair, const void *ts)
{
	int64_t parts[2];

	split(pair, ts, parts);
	return parts[0] * SECOND_NS + parts[1];
}

int64_t vdso_ns(const struct clock_pair *pair, clockid_t id)
{
	struct timespec_buffer ts;
	int64_t parts[2];

	if (pair->gettime(id, &ts))
		return INT64_MIN;
	split(pair, &ts, parts);
	return parts[1] < 0 || parts[1] >= SECOND_NS ? INT64_MIN : timespec_ns(pair, &ts);
}

int64_t syscall_ns(const struct clock_pair *pair, clockid_t id)
{
	struct timespec_buffer ts;

	return raw_syscall(pair->gettime_nr, id, (long)&ts, 0) ? INT64_MIN : timespec_ns(pair, &ts);
}

bool between(const struct clock_pair *pair, const struct guest_clock *clock)
{
	int64_t before = syscall_ns(pair, clock->id);
	int64_t now = vdso_ns(pair, clock->id);
	int64_t after = syscall_ns(pair, clock->id);

	if (before <= now && now <= after)
		return true;
	diag("%s(%s): %lld ns, not between %lld and %lld", pair->gettime_name, clock->name,
	     (long long)now, (long long)before, (long long)after);
	return false;
}

double now_seconds(void)
{
	return (double)syscall_ns(&vdso.pairs[CLOCK_PAIRS - 1], CLOCK_MONOTONIC_RAW) / SECOND_NS;
}
