// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Image files. The 32-bit structures of ELF are widened to the 64-bit ones while
 * they are read; the checks know only those.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vdso/layout.h>
#include <vdso/note.h>

#include "image.h"

/* An image has a few KiB, with debug information a few dozen. */
#define IMAGE_MAX_SIZE		(4u << 20)
#define IMAGE_MAX_PAGES		16
#define IMAGE_MIN_PAGE_SIZE	4096
#define IMAGE_MAX_PAGE_SIZE	65536

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IMAGE_BYTE_ORDER	ELFDATA2LSB
#else
#define IMAGE_BYTE_ORDER	ELFDATA2MSB
#endif

/* What the dynamic section tells, addresses still unchecked. */
struct image_dynamic {
	uint64_t symtab, strtab, strsz, hash;
	bool relocated;
};

/* Copies [offset, offset + size) of the first @limit bytes; false if it is not inside. */
static bool image_read(const struct vdso_image *image, uint64_t limit, uint64_t offset,
		       void *to, uint64_t size)
{
	if (offset > limit || size > limit - offset)
		return false;
	memcpy(to, image->file + offset, size);
	return true;
}

static bool image_is_64(const struct vdso_image *image)
{
	return image->class == ELFCLASS64;
}

static bool image_ehdr(const struct vdso_image *image, Elf64_Ehdr *e)
{
	Elf32_Ehdr e32;

	if (image_is_64(image))
		return image_read(image, image->file_size, 0, e, sizeof(*e));
	if (!image_read(image, image->file_size, 0, &e32, sizeof(e32)))
		return false;
	*e = (Elf64_Ehdr){
		.e_type = e32.e_type, .e_machine = e32.e_machine, .e_version = e32.e_version,
		.e_phoff = e32.e_phoff, .e_phentsize = e32.e_phentsize, .e_phnum = e32.e_phnum,
	};
	memcpy(e->e_ident, e32.e_ident, EI_NIDENT);
	return true;
}

static bool image_phdr(const struct vdso_image *image, const Elf64_Ehdr *e, unsigned int i,
		       Elf64_Phdr *p)
{
	Elf32_Phdr p32;

	if (image_is_64(image))
		return image_read(image, image->file_size, e->e_phoff + i * sizeof(*p),
				  p, sizeof(*p));
	if (!image_read(image, image->file_size, e->e_phoff + i * sizeof(p32), &p32, sizeof(p32)))
		return false;
	*p = (Elf64_Phdr){
		.p_type = p32.p_type, .p_flags = p32.p_flags, .p_offset = p32.p_offset,
		.p_vaddr = p32.p_vaddr, .p_filesz = p32.p_filesz, .p_memsz = p32.p_memsz,
	};
	return true;
}

/* Entry @i of the dynamic section; false: there is none. */
static bool image_dyn(const struct vdso_image *image, const Elf64_Phdr *dynamic, uint64_t i,
		      Elf64_Dyn *d)
{
	uint64_t size = image_is_64(image) ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
	Elf32_Dyn d32;

	if (i >= dynamic->p_filesz / size)
		return false;
	if (image_is_64(image))
		return image_read(image, image->load_size, dynamic->p_offset + i * size, d, size);
	if (!image_read(image, image->load_size, dynamic->p_offset + i * size, &d32, size))
		return false;
	*d = (Elf64_Dyn){ .d_tag = d32.d_tag, .d_un.d_val = d32.d_un.d_val };
	return true;
}

static bool image_sym(const struct vdso_image *image, uint32_t i, Elf64_Sym *s)
{
	Elf32_Sym s32;

	if (image_is_64(image))
		return image_read(image, image->load_size, image->symbols + i * sizeof(*s),
				  s, sizeof(*s));
	if (!image_read(image, image->load_size, image->symbols + i * sizeof(s32),
			&s32, sizeof(s32)))
		return false;
	*s = (Elf64_Sym){
		.st_name = s32.st_name, .st_info = s32.st_info, .st_other = s32.st_other,
		.st_shndx = s32.st_shndx, .st_value = s32.st_value, .st_size = s32.st_size,
	};
	return true;
}

/*
 * The checks. Each returns NULL or what is wrong: the rest of a sentence that
 * begins with the file's name.
 */
static const char *image_check_ident(struct vdso_image *image, Elf64_Ehdr *e)
{
	if (image->file_size < EI_NIDENT || memcmp(image->file, ELFMAG, SELFMAG))
		return "is not an ELF file";
	image->class = image->file[EI_CLASS];
	if (image->class != ELFCLASS32 && image->class != ELFCLASS64)
		return "is neither a 32-bit nor a 64-bit ELF file";
	if (image->file[EI_DATA] != IMAGE_BYTE_ORDER)
		return "has another byte order than this machine";
	if (!image_ehdr(image, e))
		return "is cut off in its ELF header";
	if (e->e_type != ET_DYN)
		return "is not a shared object";
	if (e->e_phentsize != (image_is_64(image) ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return "has program headers of an unknown size";
	image->machine = e->e_machine;
	return NULL;
}

static const char *image_check_load(struct vdso_image *image, const Elf64_Phdr *load)
{
	if (image->load_size)
		return "has more than one segment to load";
	if (load->p_flags != (PF_R | PF_X))
		return "has a segment that is not read-only and executable";
	if (load->p_offset || load->p_vaddr)
		return "has a segment that does not begin at address 0";
	if (!load->p_filesz || load->p_filesz != load->p_memsz)
		return "has a segment with memory that is not in the file";
	if (load->p_filesz > image->file_size)
		return "is cut off: its segment is longer than the file";
	image->load_size = load->p_filesz;
	return NULL;
}

/* Finds the three segments that count; the one to load first, as all else lies in it. */
static const char *image_check_segments(struct vdso_image *image, const Elf64_Ehdr *e,
					Elf64_Phdr *dynamic, Elf64_Phdr *note)
{
	*dynamic = *note = (Elf64_Phdr){ 0 };
	for (unsigned int i = 0; i < e->e_phnum; i++) {
		const char *wrong = NULL;
		Elf64_Phdr p;

		if (!image_phdr(image, e, i, &p))
			return "is cut off in its program headers";
		if (p.p_type == PT_LOAD)
			wrong = image_check_load(image, &p);
		else if (p.p_type == PT_DYNAMIC)
			*dynamic = p;
		else if (p.p_type == PT_NOTE)
			*note = p;
		if (wrong)
			return wrong;
	}
	return image->load_size ? NULL : "has no segment to load";
}

static const char *image_read_dynamic(const struct vdso_image *image, const Elf64_Phdr *dynamic,
				      struct image_dynamic *found)
{
	Elf64_Dyn d;

	*found = (struct image_dynamic){ 0 };
	for (uint64_t i = 0; image_dyn(image, dynamic, i, &d) && d.d_tag != DT_NULL; i++) {
		switch (d.d_tag) {
		case DT_SYMTAB:	found->symtab = d.d_un.d_ptr; break;
		case DT_STRTAB:	found->strtab = d.d_un.d_ptr; break;
		case DT_STRSZ:	found->strsz = d.d_un.d_val; break;
		case DT_HASH:	found->hash = d.d_un.d_ptr; break;
		case DT_RELASZ:
		case DT_RELSZ:
		case 35:	/* DT_RELRSZ, not in every <elf.h> */
			found->relocated |= d.d_un.d_val != 0;
			break;
		case DT_TEXTREL:
			found->relocated = true;
			break;
		}
	}
	if (found->relocated)
		return "has relocations: nobody relocates a vDSO";
	if (!found->symtab || !found->strtab || !found->strsz || !found->hash)
		return "lacks a dynamic symbol table, its strings or DT_HASH";
	return NULL;
}

static const char *image_check_symbols(struct vdso_image *image, const Elf64_Phdr *dynamic)
{
	uint64_t entry = image_is_64(image) ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct image_dynamic found;
	const char *wrong = image_read_dynamic(image, dynamic, &found);
	uint32_t hash[2];	/* the number of buckets and of symbols */
	char last;

	if (wrong)
		return wrong;
	if (!image_read(image, image->load_size, found.hash, hash, sizeof(hash)))
		return "has a hash table outside of its segment";
	if (found.symtab > image->load_size ||
	    hash[1] > (image->load_size - found.symtab) / entry)
		return "has a symbol table that leaves its segment";
	if (found.strtab > image->load_size || found.strsz > image->load_size - found.strtab)
		return "has a string table that leaves its segment";
	if (!image_read(image, image->load_size, found.strtab + found.strsz - 1, &last, 1) || last)
		return "has a string table without an end";
	image->symbols = found.symtab;
	image->symbol_count = hash[1];
	image->strings = found.strtab;
	image->strings_size = found.strsz;
	return NULL;
}

/* The note by which an image says what it expects in front of it; false: there is none. */
static bool image_find_note(const struct vdso_image *image, const Elf64_Phdr *segment,
			    struct vdso_note *note)
{
	uint64_t at = segment->p_offset, end;
	Elf32_Nhdr header;	/* the same in 64-bit files */

	if (at > image->load_size || segment->p_filesz > image->load_size - at)
		return false;
	end = at + segment->p_filesz;
	while (image_read(image, end, at, &header, sizeof(header))) {
		if (header.n_type == VDSO_NOTE_LAYOUT &&
		    header.n_namesz == sizeof(VDSO_NOTE_NAME) &&
		    header.n_descsz == sizeof(note->desc) &&
		    image_read(image, end, at, note, sizeof(*note)) &&
		    !memcmp(note->name, VDSO_NOTE_NAME, sizeof(VDSO_NOTE_NAME)))
			return true;
		/* Name and content are padded to 4 bytes; 64 bits, so that no sum wraps. */
		at += sizeof(header) + (((uint64_t)header.n_namesz + 3) & ~3ull) +
		      (((uint64_t)header.n_descsz + 3) & ~3ull);
	}
	return false;
}

static const char *image_check_note(struct vdso_image *image, const Elf64_Phdr *segment)
{
	struct vdso_note note;
	uint32_t size;

	if (!image_find_note(image, segment, &note))
		return "has no uvdso note: it is not an image of this project";
	size = note.desc.page_size;
	if (note.desc.layout_version != VDSO_LAYOUT_VERSION)
		return "expects another version of the data page's layout than this program fills";
	if (note.desc.pages < 2 || note.desc.pages > IMAGE_MAX_PAGES ||
	    size < IMAGE_MIN_PAGE_SIZE || size > IMAGE_MAX_PAGE_SIZE || size & (size - 1))
		return "has a damaged uvdso note: number or size of its pages make no sense";
	image->layout_version = note.desc.layout_version;
	image->pages = note.desc.pages;
	image->page_size = size;
	image->mapped_size = (image->file_size + size - 1) & ~(size_t)(size - 1);
	return NULL;
}

static const char *image_check(struct vdso_image *image)
{
	Elf64_Phdr dynamic, note;
	Elf64_Ehdr ehdr;
	const char *wrong = image_check_ident(image, &ehdr);

	if (!wrong)
		wrong = image_check_segments(image, &ehdr, &dynamic, &note);
	if (!wrong)
		wrong = image_check_symbols(image, &dynamic);
	if (!wrong)
		wrong = image_check_note(image, &note);
	return wrong;
}

/* Reads @size bytes; false: an error, or the file has become shorter. */
static bool read_all(int fd, unsigned char *to, size_t size)
{
	while (size) {
		ssize_t got = read(fd, to, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		size -= (size_t)got;
	}
	return true;
}

static const char *image_load(struct vdso_image *image, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return "cannot be examined";
	if (!S_ISREG(st.st_mode))
		return "is not a regular file";
	if (st.st_size <= 0 || st.st_size > (off_t)IMAGE_MAX_SIZE)
		return st.st_size > 0 ? "is too large for an image" : "is empty";
	image->file_size = (size_t)st.st_size;
	image->file = malloc(image->file_size);
	if (!image->file)
		return "does not fit into the memory that is left";
	if (!read_all(fd, image->file, image->file_size))
		return "cannot be read to its end";
	return image_check(image);
}

int vdso_image_open(struct vdso_image *image, const char *path, char *why, size_t why_size)
{
	/* O_NONBLOCK: opening a FIFO must not wait for its other end. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *wrong;

	*image = (struct vdso_image){ 0 };
	if (fd < 0) {
		snprintf(why, why_size, "%s: cannot open the image: %s", path, strerror(errno));
		return -1;
	}
	wrong = image_load(image, fd);
	close(fd);
	if (!wrong)
		return 0;
	snprintf(why, why_size, "%s: cannot be used as an image: it %s; give a vdso.so that was built together with this program",
		 path, wrong);
	vdso_image_close(image);
	return -1;
}

void vdso_image_close(struct vdso_image *image)
{
	free(image->file);
	*image = (struct vdso_image){ 0 };
}

/* Whether @s is a function that this image exports and has inside. */
static bool image_exports(const struct vdso_image *image, const Elf64_Sym *s)
{
	unsigned char binding = ELF64_ST_BIND(s->st_info);

	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
	       (binding == STB_GLOBAL || binding == STB_WEAK) &&
	       s->st_name < image->strings_size && s->st_value < image->load_size;
}

uint64_t vdso_image_symbol(const struct vdso_image *image, const char *name)
{
	const char *strings = (const char *)image->file + image->strings;
	Elf64_Sym s;

	for (uint32_t i = 1; i < image->symbol_count && image_sym(image, i, &s); i++)
		if (image_exports(image, &s) && !strcmp(strings + s.st_name, name))
			return s.st_value;
	return 0;
}

/* Anywhere, but at a multiple of @align, which may be more than this machine's pages are. */
static char *map_aligned(size_t size, size_t align)
{
	char *at = mmap(NULL, size + align, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	size_t skip;

	if (at == MAP_FAILED)
		return at;
	skip = -(uintptr_t)at % align;
	if (skip)
		munmap(at, skip);
	munmap(at + skip + size, align - skip);
	return at + skip;
}

int vdso_image_map(const struct vdso_image *image, struct vdso_mapping *mapping,
		   unsigned long hint)
{
	size_t front = (size_t)image->pages * image->page_size;
	size_t size = front + image->mapped_size;
	char *at;

	/* Protection must be able to change where the image begins. */
	if (front % (size_t)sysconf(_SC_PAGESIZE) || hint % image->page_size) {
		errno = EINVAL;
		return -1;
	}
	if (hint)
		at = mmap((void *)hint, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	else
		at = map_aligned(size, image->page_size);
	if (at == MAP_FAILED)
		return -1;
	/* Kernels before 4.17, and emulators, take the address for a wish. */
	if (hint && at != (char *)hint) {
		munmap(at, size);
		errno = EEXIST;
		return -1;
	}
	memcpy(at + front, image->file, image->file_size);
	if (mprotect(at + front, image->mapped_size, PROT_READ | PROT_EXEC)) {
		munmap(at, size);
		return -1;
	}
	*mapping = (struct vdso_mapping){
		.pages = (struct vdso_page *)at, .base = at + front, .size = size,
	};
	return 0;
}

void vdso_image_unmap(struct vdso_mapping *mapping)
{
	munmap(mapping->pages, mapping->size);
	*mapping = (struct vdso_mapping){ 0 };
}
