/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What every file with exported functions needs: the page and the names.
 */
#ifndef VDSO_ENTRY_H
#define VDSO_ENTRY_H

#include <vdso/hooks.h>

/*
 * The mapping: the linker script puts it ARCH_VDSO_PAGES in front of the image.
 * Not const: the compiler must not think that it never changes.
 */
extern struct vdso_page vdso_pages[] __hidden;

#ifndef arch_vdso_mapping
static __always_inline const struct vdso_page *arch_vdso_mapping(void)
{
	return vdso_pages;
}
#endif

/**
 * vdso_mapping() - the first page of the mapping
 */
static __always_inline const struct vdso_page *vdso_mapping(void)
{
	return arch_vdso_mapping();
}

#define VDSO_STRING(x)	VDSO_STRING2(x)
#define VDSO_STRING2(x)	#x

/* One more symbol of the given binding for an exported function. */
#define VDSO_ALIAS(binding, alias, name) \
	__asm__("." #binding " " VDSO_STRING(alias) "\n\t" \
		".set " VDSO_STRING(alias) ", " VDSO_STRING(ARCH_VDSO_NAME(name)));

#if ARCH_VDSO_WEAK_NAMES
#define VDSO_WEAK_NAME(name)	VDSO_ALIAS(weak, name, name)
#else
#define VDSO_WEAK_NAME(name)
#endif

/* Begins the definition of an exported function, with a prototype for it to agree with. */
#define VDSO_EXPORT_PLAIN(type, name, ...) \
	__visible type ARCH_VDSO_NAME(name)(__VA_ARGS__); \
	type ARCH_VDSO_NAME(name)(__VA_ARGS__)

/*
 * The same, by its plain name as well where the ABI has those, and at the start
 * of a cache line: a short function that crosses one costs up to a third more.
 */
#define VDSO_EXPORT(type, name, ...) \
	VDSO_WEAK_NAME(name) \
	VDSO_EXPORT_PLAIN(__aligned(64) type, name, __VA_ARGS__)

#endif /* VDSO_ENTRY_H */
