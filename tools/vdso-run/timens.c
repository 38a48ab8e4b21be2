// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Time namespaces: one page for each pair of offsets that is in use. It holds the
 * namespace's own times, so that they cost no more than elsewhere; or, if that can't
 * be, the way to the data page behind it and the offsets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include <vdso/update.h>
#include "guard.h"
#include "publish.h"
#include "timens.h"

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

/* Returns once it is known whether the page will be live: after a tick or two. */
static void add_page(struct run *run, struct data_page *page)
{
	page->next = run->data.next;
	__atomic_store_n(&run->data.next, page, __ATOMIC_RELEASE);
	while (sem_wait(&page->decided))
		;
}

/* New ones are in front. */
void timens_decide(struct run *run)
{
	struct data_page *first = __atomic_load_n(&run->data.next, __ATOMIC_ACQUIRE);
	bool live;

	if (first == run->decided)
		return;
	live = guard_renew(run);
	for (struct data_page *page = first; page != run->decided; page = page->next) {
		page->live = live;
		if (live)
			publish_page(page, &run->published);
		sem_post(&page->decided);
	}
	run->decided = first;
}

static struct data_page *make_page(struct run *run, const struct vdso_offset *monotonic,
				   const struct vdso_offset *boottime)
{
	const struct vdso_page *real = run->data.segment.memory;
	struct data_page *page = calloc(1, sizeof(*page));

	if (!page || segment_create(&page->segment, ARCH_VDSO_PAGE_SIZE, 0)) {
		free(page);
		return NULL;
	}
	page->monotonic = *monotonic;
	page->boottime = *boottime;
	sem_init(&page->decided, 0, 0);
	vdso_set_cpu(page->segment.memory, real->cpu_mode, real->cpu_arg);
	add_page(run, page);
	if (!page->live)
		vdso_fill_timens(page->segment.memory, real, monotonic, boottime);
	return page;
}

static struct data_page *find_or_make(struct run *run, const struct vdso_offset *monotonic,
				      const struct vdso_offset *boottime)
{
	for (struct data_page *page = run->data.next; page; page = page->next)
		if (same(&page->monotonic, monotonic) && same(&page->boottime, boottime))
			return page;
	return make_page(run, monotonic, boottime);
}

const char *timens_first_page(struct run *run, pid_t pid, int *id)
{
	struct vdso_offset monotonic = { 0 }, boottime = { 0 };
	struct data_page *page;

	*id = run->data.segment.id;
	if (!namespace_of(pid, "time"))
		return NULL;
	/* /proc tells the offsets of the children's namespace only. */
	if (namespace_of(pid, "time") != namespace_of(pid, "time_for_children"))
		return "the offsets of its time namespace can't be read";
	if (!read_offsets(pid, &monotonic, &boottime))
		return "the offsets of its time namespace can't be read";
	if (is_zero(&monotonic) && is_zero(&boottime))
		return NULL;
	page = find_or_make(run, &monotonic, &boottime);
	if (!page)
		return "no shared memory for the page of its time namespace";
	*id = page->segment.id;
	return NULL;
}
