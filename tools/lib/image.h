/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Image files: check one, look up what it exports, map it with its data pages.
 *
 * A file may come from anywhere, so nothing in it is believed before it has been
 * checked: whatever its content, these functions read only inside of it. There
 * are libraries that read ELF files, but none that every ABI here can be linked
 * with, and an image needs little: program headers, dynamic symbols, one note.
 */
#ifndef TOOLS_LIB_IMAGE_H
#define TOOLS_LIB_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct vdso_image - an image file that passed its checks
 * @file:		its content, as the kernel maps it
 * @file_size:		in bytes
 * @class:		ELFCLASS32 (x32 too) or ELFCLASS64
 * @machine:		EM_*
 * @load_size:		bytes from the beginning that belong to the segment;
 *			what follows are section headers, for debuggers
 * @mapped_size:	@file_size in whole pages
 * @layout_version:	of the data page: VDSO_LAYOUT_VERSION
 * @pages:		how many pages lie in front of the image
 * @page_size:		their size in bytes
 * @symbols:		where the dynamic symbol table is
 * @symbol_count:	how many entries it has
 * @strings:		where their names are
 * @strings_size:	in bytes; the last one is 0
 */
struct vdso_image {
	unsigned char	*file;
	size_t		file_size;
	unsigned char	class;
	unsigned short	machine;
	size_t		load_size;
	size_t		mapped_size;
	uint32_t	layout_version;
	uint32_t	pages;
	uint32_t	page_size;
	uint64_t	symbols;
	uint32_t	symbol_count;
	uint64_t	strings;
	uint64_t	strings_size;
};

struct vdso_page;

/**
 * struct vdso_mapping - an image in this process
 * @pages:	the data page, zeroed, writable and shared with children; the
 *		second page and the architecture's own follow
 * @base:	the image, behind the pages: read-only and executable
 * @size:	of pages and image together, in bytes
 */
struct vdso_mapping {
	struct vdso_page	*pages;
	char			*base;
	size_t			size;
};

/**
 * vdso_image_open() - read and check an image file
 * @image:	takes the image; vdso_image_close() frees it
 * @path:	the file
 * @why:	takes a sentence that names the file, if it is refused
 * @why_size:	size of @why in bytes
 *
 * Accepts images of this machine's byte order, 32- and 64-bit, of any machine
 * type and of this program's page layout version.
 *
 * Return: 0, or -1 and @image holds nothing.
 */
int vdso_image_open(struct vdso_image *image, const char *path, char *why, size_t why_size);

/**
 * vdso_image_close() - free what vdso_image_open() took
 * @image:	opened before; mappings of it stay
 */
void vdso_image_close(struct vdso_image *image);

/**
 * vdso_image_symbol() - look up an exported function
 * @image:	an open image
 * @name:	its name
 *
 * Return: its offset from the beginning of the image, 0 if it is not exported.
 */
uint64_t vdso_image_symbol(const struct vdso_image *image, const char *name);

/**
 * vdso_image_map() - map an image and its data pages into this process
 * @image:	an open image
 * @mapping:	takes the mapping; vdso_image_unmap() frees it
 * @hint:	0: anywhere; else the address for the first data page, a multiple of
 *		the page size (below 4 GiB for images with 32-bit pointers)
 *
 * The pages are all zeros: every function makes its system call until
 * vdso_update() has filled them.
 *
 * Return: 0, or -1 and errno: EEXIST if something is mapped at @hint, EINVAL if
 * this machine's pages are larger than the image allows for.
 */
int vdso_image_map(const struct vdso_image *image, struct vdso_mapping *mapping,
		   unsigned long hint);

/**
 * vdso_image_unmap() - remove a mapping
 * @mapping:	from vdso_image_map(); nobody may use it any more
 */
void vdso_image_unmap(struct vdso_mapping *mapping);

#endif /* TOOLS_LIB_IMAGE_H */
