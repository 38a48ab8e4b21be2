// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Counting calls by breakpoints.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include "count.h"

/* INT3: Intel SDM volume 2. Its trap reports the address behind it. */
#define BREAKPOINT	0xcc
/* ENDBR64 and ENDBR32 (Intel SDM volume 2) differ in the last byte only. */
#define LANDING_PAD	0xf3
#define LANDING_PAD_SIZE 4

struct counter {
	const char	*name;
	u64		offset[ABI_COUNT];
	u64		calls[ABI_COUNT];
};

static struct counter counters[] = {
	{ .name = "__vdso_clock_gettime" },
	{ .name = "__vdso_clock_gettime64" },
	{ .name = "__vdso_clock_getres" },
	{ .name = "__vdso_clock_getres_time64" },
	{ .name = "__vdso_gettimeofday" },
	{ .name = "__vdso_time" },
	{ .name = "__vdso_getcpu" },
	{ .name = "__vdso_counter_calibration" },
};

#define COUNTERS	(sizeof(counters) / sizeof(counters[0]))

/* Where processes have the image: a cache, /proc/PID/maps knows. */
static struct place {
	pid_t		pid;
	enum abi	abi;
	u64		base;
} places[1024];

static struct place *place_of(pid_t pid)
{
	return &places[(unsigned int)pid % (sizeof(places) / sizeof(places[0]))];
}

static void put_breakpoint(struct run_image *image, u64 *offset)
{
	unsigned char *text = image->segment.memory;

	/* An image without landing pads (built so by somebody else) is left alone. */
	if (*offset && text[*offset] == LANDING_PAD)
		text[*offset] = BREAKPOINT;
	else
		*offset = 0;
}

void count_prepare(struct run *run)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < COUNTERS && run->images[abi].present; i++) {
			u64 *offset = &counters[i].offset[abi];

			*offset = vdso_image_symbol(&run->images[abi].image, counters[i].name);
			put_breakpoint(&run->images[abi], offset);
		}
}

void count_program(struct run *run, pid_t pid, enum abi abi, u64 base)
{
	if (run->options.count)
		*place_of(pid) = (struct place){ pid, abi, base };
}

void count_forget(pid_t pid)
{
	if (place_of(pid)->pid == pid)
		place_of(pid)->pid = 0;
}

/* A segment's number is the inode of its mapping. */
static bool find_place(const struct run *run, pid_t pid, struct place *place)
{
	char path[64], line[512];
	unsigned long base, inode;
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		if (!strstr(line, "/SYSV") ||
		    sscanf(line, "%lx-%*x %*s %*s %*s %lu", &base, &inode) != 2)
			continue;
		for (int abi = 0; abi < ABI_COUNT; abi++)
			if (run->images[abi].present &&
			    (int)inode == run->images[abi].segment.id) {
				*place = (struct place){ pid, (enum abi)abi, base };
				found = true;
			}
	}
	if (maps)
		fclose(maps);
	return found;
}

static bool count_at(const struct place *place, u64 address)
{
	for (size_t i = 0; i < COUNTERS; i++)
		if (counters[i].offset[place->abi] &&
		    address == place->base + counters[i].offset[place->abi]) {
			counters[i].calls[place->abi]++;
			return true;
		}
	return false;
}

bool count_trap(struct run *run, pid_t pid)
{
	struct place *place = place_of(pid);
	struct user_regs_struct regs;
	siginfo_t info;

	if (!run->options.count || ptrace(PTRACE_GETSIGINFO, pid, 0, &info) ||
	    info.si_code != SI_KERNEL || ptrace(PTRACE_GETREGS, pid, 0, &regs))
		return false;
	if ((place->pid != pid || !count_at(place, regs.rip - 1)) &&
	    !(find_place(run, pid, place) && count_at(place, regs.rip - 1)))
		return false;
	regs.rip += LANDING_PAD_SIZE - 1;
	return !ptrace(PTRACE_SETREGS, pid, 0, &regs);
}

void count_report(const struct run *run)
{
	u64 total = 0;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < COUNTERS; i++) {
			u64 calls = counters[i].calls[abi];

			total += calls;
			if (calls)
				report("%10llu calls of %s (%s)", (unsigned long long)calls,
				       counters[i].name, abi_names[abi]);
		}
	if (!total)
		report("no call into the image");
}
