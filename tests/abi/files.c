// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The image loader and files that no build made: cut off anywhere, any byte
 * changed, many bytes changed, and each kind of damage that it has a sentence for.
 * The content of a file ends right in front of memory that can't be accessed:
 * reading past it is fatal.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vdso/note.h>

#include "../lib/effort.h"
#include "../lib/tap.h"
#include "under_test.h"

#define RANDOM_FILES	5000

/* The good image, and a file that takes damaged ones. */
static unsigned char *good;
static size_t good_size;
static int fd;
static char path[64];
static const char *kept_path = path;

/* The linker puts these in place of malloc() and free() in the loader. */
void *__wrap_malloc(size_t size);
void __wrap_free(void *at);

static char *guarded;
static size_t guarded_size;
static bool guard_front;	/* let the content begin right behind such memory instead */

void *__wrap_malloc(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (size + page - 1) / page * page;

	guarded_size = page + room + page;
	guarded = mmap(NULL, guarded_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (guarded == MAP_FAILED || mprotect(guarded + page, room, PROT_READ | PROT_WRITE))
		return NULL;
	return guarded + page + (guard_front ? 0 : room - size);
}

void __wrap_free(void *at)
{
	if (at)
		munmap(guarded, guarded_size);
}

static void write_file(const void *content, size_t size)
{
	if (ftruncate(fd, 0) || pwrite(fd, content, size, 0) != (ssize_t)size) {
		printf("Bail out! cannot write a temporary file: %s\n", strerror(errno));
		exit(EXIT_FAILURE);
	}
}

/* A refusal is one sentence that begins with the file's name. */
static bool is_sentence(const char *why)
{
	size_t length = strlen(why);

	return length > strlen(kept_path) + 20 && !strncmp(why, kept_path, strlen(kept_path)) &&
	       !strchr(why, '\n');
}

/* What the loader says of the file: NULL if it takes it. Uses what it took. */
static const char *verdict(void)
{
	static const char *const names[] = { "__vdso_clock_gettime", "__vdso_time", "", "x" };
	static char why[512];
	struct vdso_image image;

	if (vdso_image_open(&image, kept_path, why, sizeof(why)))
		return why;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (vdso_image_symbol(&image, names[i]) >= image.load_size) {
			snprintf(why, sizeof(why), "a symbol outside of the image");
			break;
		}
	vdso_image_close(&image);
	return strcmp(why, "a symbol outside of the image") ? NULL : why;
}

/* Counts refusals that are no sentence. */
static int check_verdict(unsigned long *refused)
{
	const char *why = verdict();

	if (!why)
		return 0;
	++*refused;
	if (is_sentence(why))
		return 0;
	diag("not a sentence about the file: %s", why);
	return 1;
}

/* Every byte, or, emulated, one of some. */
static size_t stride(void)
{
	return effort_percent() >= 100 ? 1 : (size_t)(100 / effort_percent());
}

/* Headers behind the segment are for debuggers: without them it is still an image. */
static void test_cut_off(void)
{
	unsigned long refused = 0, short_ones = 0;
	int wrong = 0;

	for (size_t size = 0; size < good_size; size += stride()) {
		write_file(good, size);
		wrong += check_verdict(&refused);
		short_ones += size < vdso.image.load_size;
	}
	ok(!wrong && refused == short_ones,
	   "cut off at each of %zu lengths: refused while the segment is not whole (%lu)",
	   good_size / stride(), refused);
}

static void test_changed_bytes(void)
{
	static const unsigned char changes[] = { 0x01, 0xff };
	unsigned long refused = 0;
	int wrong = 0;

	for (size_t at = 0; at < good_size; at += stride())
		for (size_t i = 0; i < sizeof(changes); i++) {
			good[at] ^= changes[i];
			write_file(good, good_size);
			good[at] ^= changes[i];
			wrong += check_verdict(&refused);
		}
	ok(!wrong && refused > 100 / stride(), "each byte changed: %lu refused, none fatal", refused);
}

static void test_random(void)
{
	int files = RANDOM_FILES * effort_percent() / 100;
	unsigned char *file = mmap(NULL, good_size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long refused = 0;
	int wrong = 0;

	srandom(1);
	for (int i = 0; i < files; i++) {
		memcpy(file, good, good_size);
		/* Most of what the loader looks at is at the beginning. */
		for (long n = random() % 16; n >= 0; n--)
			file[random() % (n % 2 ? (long)good_size : 1024)] = (unsigned char)random();
		write_file(file, good_size);
		wrong += check_verdict(&refused);
	}
	munmap(file, good_size);
	ok(!wrong && refused > (unsigned long)files / 10,
	   "%d files of random damage: %lu refused, none fatal", files, refused);
}

static void test_refused(const char *what, const char *words)
{
	const char *why = verdict();

	if (!ok(why && is_sentence(why) && strstr(why, words), "%s: refused, \"%s\"", what, words))
		diag("it says: %s", why ? why : "nothing");
}

/* The image with @size bytes at @at replaced. */
static void test_patched(const char *what, size_t at, const void *bytes, size_t size,
			 const char *words)
{
	unsigned char saved[64];

	memcpy(saved, good + at, size);
	memcpy(good + at, bytes, size);
	write_file(good, good_size);
	memcpy(good + at, saved, size);
	test_refused(what, words);
}

static void patch_32(const char *what, size_t at, uint32_t value, const char *words)
{
	test_patched(what, at, &value, sizeof(value), words);
}

static void patch_16(const char *what, size_t at, uint16_t value, const char *words)
{
	test_patched(what, at, &value, sizeof(value), words);
}

/* Where the uvdso note begins. */
static size_t find_note(void)
{
	const struct vdso_note *note;

	for (size_t at = 0; at + sizeof(*note) <= good_size; at += 4) {
		note = (const void *)(good + at);
		if (!memcmp(note->name, VDSO_NOTE_NAME, sizeof(VDSO_NOTE_NAME)) &&
		    note->type == VDSO_NOTE_LAYOUT)
			return at;
	}
	return 0;
}

static void test_note(void)
{
	size_t note = find_note();

	if (!ok(note, "the image has a uvdso note"))
		return;
	patch_32("no uvdso note", note + offsetof(struct vdso_note, name), 0, "has no uvdso note");
	patch_32("another layout", note + offsetof(struct vdso_note, desc.layout_version),
		 VDSO_LAYOUT_VERSION + 1, "another version of the data page's layout");
	patch_32("one page", note + offsetof(struct vdso_note, desc.pages), 1, "damaged uvdso note");
	patch_32("a billion pages", note + offsetof(struct vdso_note, desc.pages), 1000000000,
		 "damaged uvdso note");
	patch_32("an odd page size", note + offsetof(struct vdso_note, desc.page_size), 4097,
		 "damaged uvdso note");
}

/* Offsets that the two ELF classes do not share. */
#define ELF_OFFSET(type, field) \
	(vdso.image.class == ELFCLASS64 ? offsetof(Elf64_##type, field) : \
	 offsetof(Elf32_##type, field))

static void test_headers(void)
{
	size_t phdr = vdso.image.class == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t next = vdso.image.class == ELFCLASS64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	test_patched("no ELF file", 1, "XYZ", 3, "is not an ELF file");
	test_patched("the other byte order", EI_DATA, "\2", 1, "another byte order");
	test_patched("class 7", EI_CLASS, "\7", 1, "neither a 32-bit nor a 64-bit");
	patch_16("an executable", offsetof(Elf64_Ehdr, e_type), ET_EXEC, "not a shared object");
	patch_16("no program headers", ELF_OFFSET(Ehdr, e_phnum), 0, "has no segment to load");
	patch_32("a writable segment", phdr + ELF_OFFSET(Phdr, p_flags), PF_R | PF_W | PF_X,
		 "not read-only and executable");
	patch_32("a segment at 4096", phdr + ELF_OFFSET(Phdr, p_vaddr), 4096,
		 "does not begin at address 0");
	patch_32("memory behind the file", phdr + ELF_OFFSET(Phdr, p_memsz), 1 << 20,
		 "memory that is not in the file");
	patch_32("two segments", phdr + next, PT_LOAD, "more than one segment");
	patch_32("no dynamic section", phdr + next, PT_NULL, "lacks a dynamic symbol table");
}

/* The first section, right behind the program headers, is DT_HASH's: buckets, symbols. */
static size_t find_symbol_count(void)
{
	uint32_t count;
	size_t at;

	if (vdso.image.class == ELFCLASS64)
		at = sizeof(Elf64_Ehdr) + ((Elf64_Ehdr *)good)->e_phnum * sizeof(Elf64_Phdr) + 4;
	else
		at = sizeof(Elf32_Ehdr) + ((Elf32_Ehdr *)good)->e_phnum * sizeof(Elf32_Phdr) + 4;
	memcpy(&count, good + at, sizeof(count));
	return count == vdso.image.symbol_count ? at : 0;
}

static void test_tables(void)
{
	size_t strings_end = vdso.image.strings + vdso.image.strings_size;
	size_t phdr = sizeof(Elf64_Ehdr), count = find_symbol_count();
	const uint64_t wraps = -8ull;

	test_patched("names without an end", strings_end - 1, "x", 1, "string table without an end");
	if (ok(count, "the number of symbols is where it is looked for"))
		patch_32("four billion symbols", count, 0xfffffff0, "symbol table that leaves");
	if (vdso.image.class != ELFCLASS64)
		return;
	/* Offset plus size is small again, modulo 2^64. */
	guard_front = true;
	test_patched("program headers in front of the file", offsetof(Elf64_Ehdr, e_phoff), &wraps,
		     sizeof(wraps), "cut off in its program headers");
	test_patched("a dynamic section in front of the file",
		     phdr + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_offset), &wraps,
		     sizeof(wraps), "lacks a dynamic symbol table");
	guard_front = false;
}

/* Paths that are no image file. The FIFO must not make the loader wait. */
static void test_paths(void)
{
	char directory[] = "/tmp/uvdso-files-XXXXXX", fifo[64];

	if (!ok(mkdtemp(directory), "a temporary directory"))
		return;
	snprintf(fifo, sizeof(fifo), "%s/fifo", directory);
	kept_path = directory;
	test_refused("a directory", "is not a regular file");
	kept_path = fifo;
	test_refused("a missing file", "No such file");
	if (ok(!mkfifo(fifo, 0600), "a FIFO"))
		test_refused("a FIFO", "is not a regular file");
	unlink(fifo);
	rmdir(directory);
	kept_path = path;
	write_file("", 0);
	test_refused("an empty file", "is empty");
	if (ok(!ftruncate(fd, 64 << 20), "a huge file"))
		test_refused("a huge file", "is too large");
}

static void on_fault(int signal)
{
	_exit(signal);
}

static bool write_faults(char *at)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		signal(SIGSEGV, on_fault);
		*(volatile char *)at = 0;
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == SIGSEGV;
}

/* Of pages larger than this machine's, too: somebody may look for the data page from the image. */
static void test_alignment(void)
{
	int wrong = 0;

	for (uint32_t size = vdso.image.page_size; size <= 65536; size *= 2) {
		struct vdso_image image = vdso.image;
		struct vdso_mapping mapping;

		image.page_size = size;
		if (vdso_image_map(&image, &mapping, 0)) {
			wrong++;
			continue;
		}
		wrong += (uintptr_t)mapping.pages % size || memcmp(mapping.base, good, good_size);
		vdso_image_unmap(&mapping);
	}
	ok(!wrong, "mappings begin with a page, whatever its size");
}

static void test_mapping(void)
{
	struct vdso_mapping mapping, second;
	static const struct vdso_page zeros;
	char *pages;

	if (!ok(!vdso_image_map(&vdso.image, &mapping, 0), "the image can be mapped"))
		return;
	ok(mapping.base == (char *)mapping.pages + vdso.image.pages * vdso.image.page_size &&
	   !memcmp(mapping.base, good, good_size), "the image lies behind its pages");
	ok(!memcmp(mapping.pages, &zeros, sizeof(zeros)), "its data page is empty");
	ok(write_faults(mapping.base) && !write_faults((char *)mapping.pages),
	   "the image can't be written, its pages can");
	errno = 0;
	ok(vdso_image_map(&vdso.image, &second, (unsigned long)mapping.pages) && errno == EEXIST,
	   "nothing is mapped over what is there");
	errno = 0;
	ok(vdso_image_map(&vdso.image, &second, 0x10001) && errno == EINVAL,
	   "no mapping at an address that is not a page's");
	pages = (char *)mapping.pages;
	vdso_image_unmap(&mapping);
	ok(write_faults(pages) && !mapping.pages, "it can be unmapped");
}

int main(void)
{
	under_test_open_image();
	good_size = vdso.image.file_size;
	good = mmap(NULL, good_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(good, vdso.image.file, good_size);
	fd = memfd_create("image", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);

	write_file(good, good_size);
	ok(!verdict(), "the undamaged copy is taken");
	test_mapping();
	test_alignment();
	test_headers();
	test_note();
	test_tables();
	test_paths();
	test_cut_off();
	test_changed_bytes();
	test_random();
	return tap_done();
}
