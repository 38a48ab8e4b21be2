// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Time namespaces: one page for each pair of offsets that is in use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include <vdso/update.h>
#include "timens.h"

struct timens {
	struct timens		*next;
	struct vdso_offset	monotonic;
	struct vdso_offset	boottime;
	struct segment		page;
};

/* 0: the kernel has none. */
static ino_t namespace_of(pid_t pid, const char *which)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, which);
	return stat(path, &st) ? 0 : st.st_ino;
}

bool timens_is_own(pid_t pid)
{
	static ino_t own;

	if (!own)
		own = namespace_of(getpid(), "time");
	return namespace_of(pid, "time") == own;
}

static bool read_offsets(pid_t pid, struct vdso_offset *monotonic, struct vdso_offset *boottime)
{
	char path[64], name[32];
	long long sec;
	long nsec;
	int found = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/timens_offsets", pid);
	file = fopen(path, "re");
	while (file && fscanf(file, "%31s %lld %ld", name, &sec, &nsec) == 3) {
		struct vdso_offset offset = { .sec = sec, .nsec = (u32)nsec };

		/* The kernel that had them first wrote clock ids instead of names. */
		if (!strcmp(name, "monotonic") || !strcmp(name, "1"))
			*monotonic = offset;
		if (!strcmp(name, "boottime") || !strcmp(name, "7"))
			*boottime = offset;
		found++;
	}
	if (file)
		fclose(file);
	return found == 2;
}

static bool is_zero(const struct vdso_offset *offset)
{
	return !offset->sec && !offset->nsec;
}

static bool same(const struct vdso_offset *a, const struct vdso_offset *b)
{
	return a->sec == b->sec && a->nsec == b->nsec;
}

static struct timens *find_or_make(const struct run *run, const struct vdso_offset *monotonic,
				   const struct vdso_offset *boottime)
{
	static struct timens *all;
	struct timens *ns;

	for (ns = all; ns; ns = ns->next)
		if (same(&ns->monotonic, monotonic) && same(&ns->boottime, boottime))
			return ns;
	ns = calloc(1, sizeof(*ns));
	if (!ns || segment_create(&ns->page, ARCH_VDSO_PAGE_SIZE, 0)) {
		free(ns);
		return NULL;
	}
	ns->monotonic = *monotonic;
	ns->boottime = *boottime;
	vdso_fill_timens(ns->page.memory, run->page.memory, monotonic, boottime);
	ns->next = all;
	all = ns;
	return ns;
}

const char *timens_first_page(struct run *run, pid_t pid, int *id)
{
	struct vdso_offset monotonic = { 0 }, boottime = { 0 };
	struct timens *ns;

	*id = run->page.id;
	if (!namespace_of(pid, "time"))
		return NULL;
	/* /proc tells the offsets of the children's namespace only. */
	if (namespace_of(pid, "time") != namespace_of(pid, "time_for_children"))
		return "the offsets of its time namespace can't be read";
	if (!read_offsets(pid, &monotonic, &boottime))
		return "the offsets of its time namespace can't be read";
	if (is_zero(&monotonic) && is_zero(&boottime))
		return NULL;
	ns = find_or_make(run, &monotonic, &boottime);
	if (!ns)
		return "no shared memory for the page of its time namespace";
	*id = ns->page.id;
	return NULL;
}
