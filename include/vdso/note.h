/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The note by which an image says what it expects in front of it. Whoever maps
 * an image reads it first.
 */
#ifndef VDSO_NOTE_H
#define VDSO_NOTE_H

#include <vdso/types.h>

#define VDSO_NOTE_NAME		"uvdso"
#define VDSO_NOTE_LAYOUT	1

/**
 * struct vdso_note - an ELF note of name VDSO_NOTE_NAME and type VDSO_NOTE_LAYOUT
 * @name_size:	of the ELF note's header
 * @desc_size:	likewise
 * @type:	VDSO_NOTE_LAYOUT
 * @name:	VDSO_NOTE_NAME
 * @desc:	VDSO_LAYOUT_VERSION that the readers know; how many pages lie in
 *		front of the image; their size in bytes
 */
struct vdso_note {
	u32	name_size;
	u32	desc_size;
	u32	type;
	char	name[8];
	struct {
		u32	layout_version;
		u32	pages;
		u32	page_size;
	} desc;
};

#endif /* VDSO_NOTE_H */
