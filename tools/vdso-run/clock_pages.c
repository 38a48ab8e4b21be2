// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Where the hypervisor's clock pages are, and whether they can be moved.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include "clock_pages.h"
#include "host_cpu.h"

u64 clock_pages_find(pid_t pid)
{
	unsigned long begin, end, found = 0;
	char path[64], line[512];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && !found && fgets(line, sizeof(line), maps))
		if (strstr(line, " [vvar_vclock]\n") &&
		    sscanf(line, "%lx-%lx", &begin, &end) == 2 && end - begin == CLOCK_PAGES_SIZE)
			found = begin;
	if (maps)
		fclose(maps);
	return found;
}

/* In a child: this process still reads its own. A kernel can have sealed them (mseal(2)). */
static bool can_be_moved(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		void *from = (void *)(uintptr_t)clock_pages_find(getpid());
		void *to = mmap(NULL, CLOCK_PAGES_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

		_exit(!from || to == MAP_FAILED ||
		      mremap(from, CLOCK_PAGES_SIZE, CLOCK_PAGES_SIZE,
			     MREMAP_MAYMOVE | MREMAP_FIXED, to) != to);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

void clock_pages_choose(struct run *run)
{
	const u32 mode = run->published.real.mode;

	run->clock_pages = (mode == VDSO_MODE_PVCLOCK || mode == VDSO_MODE_HVCLOCK) &&
			   can_be_moved();
	if (!run->clock_pages)
		host_cpu_set_pages(NULL);
}
