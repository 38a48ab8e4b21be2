// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion parameters from the kernel's own [vvar] page.
 */
#include <stdio.h>
#include <string.h>
#include <vdso/hooks.h>
#include "host_clock.h"
#include "host_cpu.h"

/* The kernel's clock mode that marks a namespace's page. */
#define VVAR_MODE_TIMENS	0x7fffffff

#define VVAR_PAGE_SIZE		4096
#define VVAR_BASES		12	/* clock ids 0 to CLOCK_TAI */
#define VVAR_MAX_TRIES		1000000

/**
 * struct host_vvar_layout - one known layout
 * @name:		for people
 * @start:		where the block of the steered clocks is; raw follows
 * @stride:		from one block to the next
 * @max_cycles:		the blocks have that field
 * @second_page:	where the real page is if the first is a namespace's
 */
struct host_vvar_layout {
	const char	*name;
	u32		start;
	u32		stride;
	bool		max_cycles;
	u32		second_page;
};

static const struct host_vvar_layout layouts[] = {
	{ "Linux 6.15 and later", 0, 232, true, 1 },
	{ "Linux 6.10 to 6.14", 128, 248, true, 3 },
	{ "Linux 6.10 to 6.14, overflow check left out", 128, 240, false, 3 },
	{ "Linux before 6.10", 128, 240, false, 3 },
};

/* One block, in one form whatever the layout. */
struct vvar_block {
	u32	sequence;
	s32	mode;
	u64	cycle_last;
	u64	mask;
	u32	mult;
	u32	shift;
	struct {
		s64	sec;
		u64	nsec;
	} base[VVAR_BASES];
};

static const char *vvar_block_at(const struct host_vvar_layout *layout, const char *page, int index)
{
	return page + layout->start + index * layout->stride;
}

static u32 vvar_u32(const char *from)
{
	return READ_ONCE(*(const u32 *)from);
}

static u64 vvar_u64(const char *from)
{
	return READ_ONCE(*(const u64 *)from);
}

static void vvar_copy_block(const struct host_vvar_layout *layout, const char *page, int index,
			    struct vvar_block *block)
{
	const char *from = vvar_block_at(layout, page, index);

	block->sequence = vvar_u32(from);
	block->mode = (s32)vvar_u32(from + 4);
	block->cycle_last = vvar_u64(from + 8);
	from += layout->max_cycles ? 24 : 16;
	block->mask = vvar_u64(from);
	block->mult = vvar_u32(from + 8);
	block->shift = vvar_u32(from + 12);
	from += 16;
	for (int i = 0; i < VVAR_BASES; i++, from += 16) {
		block->base[i].sec = (s64)vvar_u64(from);
		block->base[i].nsec = vvar_u64(from + 8);
	}
}

/* Both blocks as of one moment; false if there never was one: this is no such page. */
static bool vvar_copy(const struct host_vvar_layout *layout, const char *page,
		      struct vvar_block block[2])
{
	for (int try = 0; try < VVAR_MAX_TRIES; try++) {
		u32 seq[2] = {
			vvar_u32(vvar_block_at(layout, page, 0)),
			vvar_u32(vvar_block_at(layout, page, 1)),
		};

		arch_vdso_rmb();	/* pairs with the kernel's, after it made them odd */
		vvar_copy_block(layout, page, 0, &block[0]);
		vvar_copy_block(layout, page, 1, &block[1]);
		arch_vdso_rmb();	/* pairs with the kernel's, before it makes them even */
		if (!((seq[0] | seq[1]) & 1) &&
		    seq[0] == vvar_u32(vvar_block_at(layout, page, 0)) &&
		    seq[1] == vvar_u32(vvar_block_at(layout, page, 1)))
			return true;
		arch_vdso_relax();
	}
	return false;
}

/* @a - @b; both count ns << @shift in their nsec. False if that is not whole ns. */
static bool vvar_difference(const struct vvar_block *block, int a, int b, struct vdso_offset *sum)
{
	s64 nsec = (s64)(block->base[a].nsec - block->base[b].nsec);

	sum->sec = block->base[a].sec - block->base[b].sec;
	if (nsec < 0) {
		nsec += (s64)NSEC_PER_SEC << block->shift;
		sum->sec--;
	}
	sum->nsec = (u32)((u64)nsec >> block->shift);
	return !((u64)nsec & ((1ull << block->shift) - 1)) && sum->nsec < NSEC_PER_SEC;
}

static bool vvar_timebase(const struct vvar_block *block, int id, struct vdso_timebase *base)
{
	base->mode = host_cpu_mode_of_kernel(block->mode);
	base->mult = block->mult;
	base->shift = block->shift;
	base->cycle_last = block->cycle_last;
	base->mask = block->mask;
	base->sec = block->base[id].sec;
	base->nsec = block->base[id].nsec;
	return block->shift < 32 && base->nsec >> block->shift < NSEC_PER_SEC;
}

/*
 * From the blocks to a timekeeper. The kernel's coarse clocks can differ by some ns
 * from the base that the counter's line starts at (it keeps them from going back
 * when the slope is steered): the base is moved to where they are.
 */
static bool vvar_to_timekeeper(const struct vvar_block block[2], struct vdso_timekeeper *tk)
{
	const struct vvar_block *steered = &block[0];

	if (!vvar_timebase(steered, CLOCK_REALTIME, &tk->real) ||
	    !vvar_timebase(&block[1], CLOCK_MONOTONIC_RAW, &tk->raw) ||
	    !vvar_difference(steered, CLOCK_MONOTONIC, CLOCK_REALTIME, &tk->wall_to_monotonic) ||
	    !vvar_difference(steered, CLOCK_BOOTTIME, CLOCK_MONOTONIC, &tk->monotonic_to_boot))
		return false;
	tk->tai_offset = (s32)(steered->base[CLOCK_TAI].sec - steered->base[CLOCK_REALTIME].sec);
	if (tk->raw.mult)
		tk->counter_khz = (u32)((1000000ull << tk->raw.shift) / tk->raw.mult);
	host_clock_rebase(&tk->real, steered->base[CLOCK_REALTIME_COARSE].sec * NSEC_PER_SEC +
				     (s64)steered->base[CLOCK_REALTIME_COARSE].nsec);
	return true;
}

static bool vvar_between(const struct host_clock *host, int id, const struct vdso_timekeeper *tk,
			 const struct vdso_timebase *base, struct vdso_offset offset)
{
	s64 before = host_syscall_ns(host, id);
	s64 ns = base->sec * NSEC_PER_SEC + (s64)(base->nsec >> base->shift);
	s64 after;

	if (id != CLOCK_REALTIME_COARSE && id != CLOCK_MONOTONIC_COARSE)
		ns = host_clock_ns(base, host_cpu_read_counter(base->mode));
	after = host_syscall_ns(host, id);
	ns += offset.sec * NSEC_PER_SEC + offset.nsec;
	return before <= ns && ns <= after;
}

/* Whether @id, computed from a fresh snapshot, lies between two system calls. */
static bool vvar_agrees_once(struct host_clock *host, int id)
{
	struct vdso_timekeeper tk = { 0 };
	struct vvar_block block[2];
	struct vdso_offset offset = { 0 };

	if (!vvar_copy(host->layout, host->vvar, block) || !vvar_to_timekeeper(block, &tk))
		return false;
	if (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME)
		offset = tk.wall_to_monotonic;
	if (id == CLOCK_BOOTTIME) {
		offset.sec += tk.monotonic_to_boot.sec;
		offset.nsec += tk.monotonic_to_boot.nsec;
	}
	if (id == CLOCK_TAI)
		offset.sec = tk.tai_offset;
	return vvar_between(host, id, &tk, id == CLOCK_MONOTONIC_RAW ? &tk.raw : &tk.real, offset);
}

/* A tick or a clock set in the middle makes one comparison fail, not four in a row. */
static bool vvar_agrees(struct host_clock *host, int id)
{
	for (int try = 0; try < 4; try++)
		if (vvar_agrees_once(host, id))
			return true;
	return false;
}

static bool vvar_accept(struct host_clock *host, const struct host_vvar_layout *layout,
			const char *first)
{
	static const int coarse[] = { CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE };
	static const int fine[] = {
		CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
	};
	struct vvar_block block[2];
	bool namespace = vvar_u32(vvar_block_at(layout, first, 0) + 4) == VVAR_MODE_TIMENS;
	bool agrees = true;

	host->layout = layout;
	host->vvar = first + (namespace ? layout->second_page * VVAR_PAGE_SIZE : 0);
	if (!vvar_copy(layout, host->vvar, block))
		return false;
	for (size_t i = 0; i < sizeof(coarse) / sizeof(coarse[0]); i++)
		agrees = agrees && vvar_agrees(host, coarse[i]);
	if (host_cpu_mode_of_kernel(block[0].mode) == VDSO_MODE_SYSCALL)
		return agrees;
	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		agrees = agrees && vvar_agrees(host, fine[i]);
	return agrees;
}

/* Where the kernel's mapping @name is, and how many bytes of it are there. */
static const char *vvar_find(const char *name, size_t *size)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long begin, end, found = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, name) && sscanf(line, "%lx-%lx", &begin, &end) == 2) {
			found = begin;
			*size = end - begin;
		}
	if (maps)
		fclose(maps);
	return (const char *)found;
}

int host_vvar_open(struct host_clock *host)
{
	size_t size = 0;
	const char *first = vvar_find(" [vvar]\n", &size);
	size_t clock_size = 0;

	host_cpu_set_pages(vvar_find(" [vvar_vclock]\n", &clock_size));
	for (size_t i = 0; first && i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (size < (layouts[i].second_page + 1) * VVAR_PAGE_SIZE)
			continue;
		if (vvar_accept(host, &layouts[i], first))
			return 0;
	}
	host->vvar = NULL;
	return -1;
}

void host_vvar_read(struct host_clock *host, struct vdso_timekeeper *tk)
{
	struct vvar_block block[2];

	*tk = host->base;
	if (!vvar_copy(host->layout, host->vvar, block) || !vvar_to_timekeeper(block, tk)) {
		/* Not to be expected of a page that was accepted: serve nothing, wrong nothing. */
		tk->real.shift = tk->raw.shift = U32_MAX;
		tk->real.mode = tk->raw.mode = VDSO_MODE_SYSCALL;
		return;
	}
	host->sequence = block[0].sequence;
}

u32 host_vvar_sequence(const struct host_clock *host)
{
	return vvar_u32(vvar_block_at(host->layout, host->vvar, 0));
}

const char *host_vvar_name(const struct host_clock *host)
{
	return host->layout->name;
}
