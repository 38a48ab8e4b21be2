// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ELF notes of every image.
 */
#include <linux/version.h>
#include <vdso/hooks.h>
#include <vdso/note.h>

#define VDSO_NOTE(section_name) \
	__attribute__((__section__(section_name), __used__, __aligned__(4)))

/*
 * "Linux", type 0: the kernel version that the image's UAPI headers are of. The
 * C library takes the kernel's version from here before it asks uname().
 */
static const struct {
	u32	name_size, desc_size, type;
	char	name[8];
	u32	version;
} linux_note VDSO_NOTE(".note.linux") = {
	sizeof("Linux"), 4, 0, "Linux", LINUX_VERSION_CODE,
};

static const struct vdso_note uvdso_note VDSO_NOTE(".note.uvdso") = {
	.name_size = sizeof(VDSO_NOTE_NAME),
	.desc_size = sizeof(uvdso_note.desc),
	.type = VDSO_NOTE_LAYOUT,
	.name = VDSO_NOTE_NAME,
	.desc = {
		.layout_version = VDSO_LAYOUT_VERSION,
		.pages = ARCH_VDSO_PAGES,
		.page_size = ARCH_VDSO_PAGE_SIZE,
	},
};
