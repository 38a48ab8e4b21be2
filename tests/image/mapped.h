/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * An image mapped into the test's own process, as a part of the program that the
 * C runtime's unwinder knows. Each test is one source file that includes this.
 */
#ifndef TESTS_IMAGE_MAPPED_H
#define TESTS_IMAGE_MAPPED_H

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"

static struct vdso_image image;
static struct vdso_mapping mapping;
static char *eh_frame_hdr;

static bool in_image(unsigned long address)
{
	return address - (unsigned long)mapping.base < image.load_size;
}

/*
 * How the unwinder finds unwind tables (glibc's manual, "Dynamic Linker
 * Introspection"). This one, found before the C library's, knows the image too.
 */
int _dl_find_object(void *address, struct dl_find_object *found)
{
	static __typeof__(_dl_find_object) *next;

	if (in_image((unsigned long)address)) {
		*found = (struct dl_find_object){
			.dlfo_map_start = mapping.base,
			.dlfo_map_end = mapping.base + image.load_size,
			.dlfo_eh_frame = eh_frame_hdr,
		};
		return 0;
	}
	if (!next)
		next = dlsym(RTLD_NEXT, "_dl_find_object");
	return next(address, found);
}

static void find_eh_frame_hdr(void)
{
	const char *base = mapping.base;

	if (image.class == ELFCLASS64) {
		const Elf64_Ehdr *e = (const void *)base;
		const Elf64_Phdr *p = (const void *)(base + e->e_phoff);

		for (int i = 0; i < e->e_phnum; i++)
			if (p[i].p_type == PT_GNU_EH_FRAME)
				eh_frame_hdr = mapping.base + p[i].p_vaddr;
	} else {
		const Elf32_Ehdr *e = (const void *)base;
		const Elf32_Phdr *p = (const void *)(base + e->e_phoff);

		for (int i = 0; i < e->e_phnum; i++)
			if (p[i].p_type == PT_GNU_EH_FRAME)
				eh_frame_hdr = mapping.base + p[i].p_vaddr;
	}
}

/* Maps the image of @abi, at @hint unless that is 0, or ends the program with a reason. */
static void map_image(const char *abi, unsigned long hint)
{
	char self[PATH_MAX] = "", path[PATH_MAX + 64], why[512];

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || !strrchr(self, '/')) {
		puts("wrong 0 cannot tell where this program lies: is /proc mounted?");
		exit(EXIT_FAILURE);
	}
	*strrchr(self, '/') = 0;
	snprintf(path, sizeof(path), "%s/../../%s/vdso.so", self, abi);
	if (vdso_image_open(&image, path, why, sizeof(why))) {
		printf("wrong 0 %s\n", why);
		exit(EXIT_FAILURE);
	}
	if (vdso_image_map(&image, &mapping, hint)) {
		printf("wrong 0 cannot map %s: %s\n", path, strerror(errno));
		exit(EXIT_FAILURE);
	}
	find_eh_frame_hdr();
}

#endif /* TESTS_IMAGE_MAPPED_H */
