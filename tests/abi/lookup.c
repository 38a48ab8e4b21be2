// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Finding functions in an image the three ways that programs do it, each with no
 * more of ELF than its users look at:
 *
 * - the parser that the kernel documents for programs without a C library: DT_HASH,
 *   then the version by walking the version definitions;
 * - C libraries: DT_GNU_HASH with its Bloom filter, then the version by index;
 * - the Go runtime: the version's index first, then the chains of DT_GNU_HASH without the
 *   filter, and the version's hash is a constant in its source.
 *
 * All must find every function of the checked-in list at the same place, and
 * nothing else. Programs of an image's ELF class are needed, not of its ABI.
 */
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/tap.h"
#include "under_test.h"

#define VERSION_INDEX	0x7fff		/* without the bit that hides a symbol */
#define MAX_EXPORTS	64

/* What a program makes of an image's dynamic section. */
static struct {
	const char		*base;
	const ElfW(Sym)		*symbols;
	const char		*strings;
	const Elf32_Word	*hash;
	const Elf32_Word	*gnu_hash;
	const ElfW(Versym)	*versions;
	const ElfW(Verdef)	*definitions;
} elf;

/* A function of the checked-in list. */
struct export {
	char	name[64];
	char	version[32];
	char	binding[16];
};

static struct export exports[MAX_EXPORTS];
static int export_count;

static void read_entry(const ElfW(Dyn) *d)
{
	const char *at = elf.base + d->d_un.d_ptr;

	switch (d->d_tag) {
	case DT_SYMTAB:		elf.symbols = (const void *)at; break;
	case DT_STRTAB:		elf.strings = at; break;
	case DT_HASH:		elf.hash = (const void *)at; break;
	case DT_GNU_HASH:	elf.gnu_hash = (const void *)at; break;
	case DT_VERSYM:		elf.versions = (const void *)at; break;
	case DT_VERDEF:		elf.definitions = (const void *)at; break;
	}
}

static bool parse(const void *image)
{
	const ElfW(Ehdr) *e = image;
	const ElfW(Phdr) *p = (const void *)((const char *)image + e->e_phoff);

	if (e->e_ident[EI_CLASS] != (sizeof(long) == 8 ? ELFCLASS64 : ELFCLASS32))
		return false;
	elf.base = image;
	for (int i = 0; i < e->e_phnum; i++) {
		if (p[i].p_type != PT_DYNAMIC)
			continue;
		for (const ElfW(Dyn) *d = (const void *)(elf.base + p[i].p_vaddr); d->d_tag; d++)
			read_entry(d);
	}
	return elf.symbols && elf.strings && elf.hash && elf.gnu_hash && elf.versions &&
	       elf.definitions;
}

/* The hash of DT_HASH and of versions: System V ABI, "Hash Table". */
static uint32_t sysv_hash(const char *name)
{
	uint32_t h = 0;

	for (; *name; name++) {
		h = (h << 4) + (unsigned char)*name;
		h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
	}
	return h;
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h;
}

static const ElfW(Verdef) *next_definition(const ElfW(Verdef) *d)
{
	return d->vd_next ? (const void *)((const char *)d + d->vd_next) : NULL;
}

static const char *definition_name(const ElfW(Verdef) *d)
{
	const ElfW(Verdaux) *aux = (const void *)((const char *)d + d->vd_aux);

	return elf.strings + aux->vda_name;
}

/* The definition of that name that is not the file's own, NULL if there is none. */
static const ElfW(Verdef) *find_definition(const char *version)
{
	const ElfW(Verdef) *d = elf.definitions;

	for (; d; d = next_definition(d))
		if (!(d->vd_flags & VER_FLG_BASE) && d->vd_hash == sysv_hash(version) &&
		    !strcmp(definition_name(d), version))
			return d;
	return NULL;
}

static bool is_function(const ElfW(Sym) *s)
{
	unsigned char binding = ELF32_ST_BIND(s->st_info);

	return ELF32_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
	       (binding == STB_GLOBAL || binding == STB_WEAK);
}

/* The kernel's documented parser: whose definition has the symbol's index? */
static bool version_by_walk(uint32_t symbol, const char *version)
{
	const ElfW(Verdef) *d = elf.definitions;

	while (d && (d->vd_ndx & VERSION_INDEX) != (elf.versions[symbol] & VERSION_INDEX))
		d = next_definition(d);
	return d && !(d->vd_flags & VER_FLG_BASE) && d->vd_hash == sysv_hash(version) &&
	       !strcmp(definition_name(d), version);
}

static uint64_t by_documented_parser(const char *version, const char *name)
{
	uint32_t buckets = elf.hash[0], count = elf.hash[1];
	const Elf32_Word *bucket = elf.hash + 2, *chain = bucket + buckets;
	uint32_t steps = 0;

	for (uint32_t i = bucket[sysv_hash(name) % buckets]; i; i = chain[i]) {
		const ElfW(Sym) *s = &elf.symbols[i];

		if (i >= count || ++steps > count)
			return 0;	/* a chain that leaves the table or never ends */
		if (is_function(s) && !strcmp(elf.strings + s->st_name, name) &&
		    version_by_walk(i, version))
			return s->st_value;
	}
	return 0;
}

/* The parts of DT_GNU_HASH, as they follow each other. */
struct gnu_table {
	uint32_t		buckets, first, words, shift;
	const ElfW(Addr)	*bloom;
	const Elf32_Word	*bucket, *chain;
};

static struct gnu_table gnu_table(void)
{
	struct gnu_table t = {
		.buckets = elf.gnu_hash[0], .first = elf.gnu_hash[1],
		.words = elf.gnu_hash[2], .shift = elf.gnu_hash[3],
		.bloom = (const void *)(elf.gnu_hash + 4),
	};

	t.bucket = (const void *)(t.bloom + t.words);
	t.chain = t.bucket + t.buckets;
	return t;
}

/* Walks a chain for a name whose version has that index; 0: there is none. */
static uint64_t walk_gnu_chain(const struct gnu_table *t, const char *name, unsigned int index)
{
	uint32_t h = gnu_hash(name), i = t->bucket[h % t->buckets];

	for (; i >= t->first && i < elf.hash[1]; i++) {
		const ElfW(Sym) *s = &elf.symbols[i];
		uint32_t entry = t->chain[i - t->first];

		if ((entry | 1) == (h | 1) && is_function(s) &&
		    !strcmp(elf.strings + s->st_name, name) &&
		    (elf.versions[i] & VERSION_INDEX) == index)
			return s->st_value;
		if (entry & 1)
			break;
	}
	return 0;
}

static bool bloom_says_maybe(const struct gnu_table *t, const char *name)
{
	const unsigned int bits = sizeof(ElfW(Addr)) * 8;
	uint32_t h = gnu_hash(name);
	ElfW(Addr) word = t->bloom[h / bits % t->words];

	return word >> h % bits & word >> (h >> t->shift) % bits & 1;
}

static uint64_t by_c_library(const char *version, const char *name)
{
	struct gnu_table t = gnu_table();
	const ElfW(Verdef) *d = find_definition(version);

	if (!d || !bloom_says_maybe(&t, name))
		return 0;
	return walk_gnu_chain(&t, name, d->vd_ndx & VERSION_INDEX);
}

/* Go compares the hash with a constant, and takes the first definition that fits. */
#define GO_LINUX_2_6_HASH	0x3ae75f6

static uint64_t by_go_runtime(const char *version, const char *name)
{
	struct gnu_table t = gnu_table();
	uint32_t hash = strcmp(version, "LINUX_2.6") ? sysv_hash(version) : GO_LINUX_2_6_HASH;
	const ElfW(Verdef) *d = elf.definitions;

	for (; d; d = next_definition(d))
		if (!(d->vd_flags & VER_FLG_BASE) && d->vd_hash == hash &&
		    !strcmp(definition_name(d), version))
			return walk_gnu_chain(&t, name, d->vd_ndx & VERSION_INDEX);
	return 0;
}

static const struct way {
	const char	*name;
	uint64_t	(*find)(const char *version, const char *name);
} ways[] = {
	{ "the documented parser", by_documented_parser },
	{ "a C library", by_c_library },
	{ "the Go runtime", by_go_runtime },
};

/* The checked-in list of exported functions; false: there is none. */
static bool read_exports(void)
{
	const char *srctree = getenv("srctree");
	char path[4096], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/image/exports/%s.txt", srctree ? srctree : ".",
		 vdso.abi);
	file = fopen(path, "re");
	if (!file) {
		printf("Bail out! cannot open %s: set srctree to the source tree\n", path);
		return false;
	}
	while (export_count < MAX_EXPORTS && fgets(line, sizeof(line), file)) {
		struct export *e = &exports[export_count];

		if (*line != '#' &&
		    sscanf(line, "%63s %31s %15s", e->name, e->version, e->binding) == 3)
			export_count++;
	}
	fclose(file);
	return export_count;
}

static void test_found(const struct way *way)
{
	int wrong = 0;

	for (int i = 0; i < export_count; i++) {
		uint64_t at = way->find(exports[i].version, exports[i].name);

		if (at && at == vdso_image_symbol(&vdso.image, exports[i].name))
			continue;
		diag("%s@%s: %#llx instead of %#llx", exports[i].name, exports[i].version,
		     (unsigned long long)at,
		     (unsigned long long)vdso_image_symbol(&vdso.image, exports[i].name));
		wrong++;
	}
	ok(!wrong, "%s finds all %d functions of the list", way->name, export_count);
}

static void test_not_found(const struct way *way)
{
	static const char *const no_names[] = {
		"", "__vdso_", "__vdso_clock_gettim", "__vdso_clock_gettime6", "vdso_pages",
		"__vdso_getrandom", "LINUX_2.6", "vdso_read_slow",
	};
	static const char *const versions[] = { "LINUX_2.6", "LINUX_2.5", "LINUX_2.7", "" };
	int found = 0;

	for (int v = 0; v < 4; v++) {
		for (size_t i = 0; i < sizeof(no_names) / sizeof(*no_names); i++)
			found += way->find(versions[v], no_names[i]) != 0;
		for (int i = 0; i < export_count; i++)
			if (strcmp(versions[v], exports[i].version))
				found += way->find(versions[v], exports[i].name) != 0;
	}
	ok(!found, "%s finds no other name and no other version", way->name);
}

/* The weak plain names are the same functions. */
static void test_plain_names(void)
{
	int plain = 0, same = 0;

	for (int i = 0; i < export_count; i++) {
		char prefixed[80];

		if (strcmp(exports[i].binding, "WEAK"))
			continue;
		snprintf(prefixed, sizeof(prefixed), "__vdso_%s", exports[i].name);
		plain++;
		same += vdso_image_symbol(&vdso.image, exports[i].name) ==
			vdso_image_symbol(&vdso.image, prefixed);
	}
	if (plain)
		ok(plain == same, "the %d plain names are the functions with the prefix", plain);
}

int main(void)
{
	under_test_open_image();
	if (!read_exports())
		return EXIT_FAILURE;
	if (ok(parse(vdso.image.file), "the image has both hash tables, symbols and versions"))
		for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
			test_found(&ways[i]);
			test_not_found(&ways[i]);
		}
	test_plain_names();
	return tap_done();
}
