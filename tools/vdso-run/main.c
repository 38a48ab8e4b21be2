// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vdso-run: runs programs on our image, on a stock kernel.
 *
 * Everything that can be checked is checked here, before anything is started.
 * Then this process gets a supervisor (launch.c) and becomes the program.
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include <vdso/update.h>
#include "clock_pages.h"
#include "count.h"
#include "host_cpu.h"
#include "program.h"
#include "run.h"

const char *const abi_names[ABI_COUNT] = { "x86_64", "x32", "i386" };

static enum abi image_abi(const struct vdso_image *image)
{
	if (image->machine == EM_X86_64)
		return image->class == ELFCLASS64 ? ABI_X86_64 : ABI_X32;
	return image->machine == EM_386 ? ABI_I386 : ABI_FOREIGN;
}

static void check_image(const char *path, const struct vdso_image *image)
{
	if (image_abi(image) == ABI_FOREIGN)
		errx(EXIT_SELF, "%s: an image for another machine (ELF machine %u); "
		     "give one built for x86", path, image->machine);
	if (image->pages != ARCH_VDSO_PAGES || image->page_size != ARCH_VDSO_PAGE_SIZE)
		errx(EXIT_SELF, "%s: expects %u pages of %u bytes in front of it instead of %u of %u; "
		     "use an image of this version", path, image->pages, image->page_size,
		     ARCH_VDSO_PAGES, ARCH_VDSO_PAGE_SIZE);
}

static void load_image(struct run *run, const char *path)
{
	struct vdso_image image;
	struct run_image *slot;
	char why[512];

	if (vdso_image_open(&image, path, why, sizeof(why)))
		errx(EXIT_SELF, "%s", why);
	check_image(path, &image);
	slot = &run->images[image_abi(&image)];
	if (slot->present)
		errx(EXIT_USAGE, "--image %s: a second image for the ABI of %s; give one for each ABI",
		     path, slot->path);
	slot->present = true;
	slot->path = strdup(path);
	slot->image = image;
	if (segment_create(&slot->segment, image.mapped_size, 1))
		err(EXIT_SELF, "no shared memory for the image (kernel.shmmni, kernel.shmall)");
	memcpy(slot->segment.memory, image.file, image.load_size);
}

/* The directory above the one that this binary is in. */
static const char *own_prefix(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length <= 0)
		return NULL;
	path[length] = 0;
	return dirname(dirname(path));
}

/* The build directory's images, else the installed ones. */
static void find_images(struct run *run)
{
	const char *prefix = own_prefix();
	static const char *const places[] = { "%s/%s/vdso.so", "%s/lib/uvdso/%s/vdso.so" };
	char path[PATH_MAX + 64];
	bool found = false;

	for (int place = 0; prefix && place < 2 && !found; place++)
		for (int abi = 0; abi < ABI_COUNT; abi++) {
			snprintf(path, sizeof(path), places[place], prefix, abi_names[abi]);
			if (access(path, F_OK))
				continue;
			load_image(run, path);
			found = true;
		}
	if (!found)
		errx(EXIT_SELF, "no image found beside %s: build them (make images) or give --image FILE",
		     prefix ?: "the program");
}

static void load_images(struct run *run)
{
	const struct options *options = &run->options;

	if (sysconf(_SC_PAGESIZE) != ARCH_VDSO_PAGE_SIZE)
		errx(EXIT_SELF, "pages of this machine are not %u bytes, as the images need",
		     ARCH_VDSO_PAGE_SIZE);
	for (int i = 0; i < options->image_count; i++)
		load_image(run, options->image[i]);
	if (!options->image_count)
		find_images(run);
}

static void open_clocks(struct run *run)
{
	const struct options *options = &run->options;
	char why[512];
	int result;

	if (options->calibrate)
		result = host_clock_open_calibrated(&run->host, why, sizeof(why));
	else
		result = host_clock_open(&run->host, why, sizeof(why));
	if (options->no_counter)
		run->host.counter = VDSO_MODE_SYSCALL;
	else if (result)
		errx(EXIT_SELF, "%s", why);
	else if (options->counter != VDSO_MODE_SYSCALL)
		run->host.counter = options->counter;
	host_clock_snapshot(&run->host, &run->published);
	clock_pages_choose(run);
}

static void fill_page(struct run *run)
{
	struct segment *segment = &run->data.segment;
	u32 mode, arg;

	if (segment_create(segment, ARCH_VDSO_PAGE_SIZE, 0))
		err(EXIT_SELF, "no shared memory for the data page (kernel.shmmni, kernel.shmall)");
	mode = host_cpu_number_source(&arg);
	vdso_set_cpu(segment->memory, mode, arg);
	host_clock_snapshot(&run->host, &run->published);
	if (run->options.counter != VDSO_MODE_SYSCALL &&
	    run->published.real.mode != VDSO_MODE_SYSCALL &&
	    run->published.real.mode != run->options.counter)
		errx(EXIT_SELF, "--counter: the host's clocks go by %s, not by the time stamp "
		     "counter; leave --counter out",
		     host_cpu_counter_name(run->published.real.mode));
	vdso_update(segment->memory, &run->published);
	run->data.live = true;
}

static void tell_start(const struct run *run)
{
	char text[256];

	host_clock_describe(&run->host, text, sizeof(text));
	report("%s", text);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (run->images[abi].present)
			report("%s programs get %s", abi_names[abi], run->images[abi].path);
}

int main(int argc, char **argv)
{
	static struct run run;
	char why[512];
	char *path;

	options_parse(&run.options, argc, argv);
	path = program_find(run.options.argv[0]);
	load_images(&run);
	open_clocks(&run);
	fill_page(&run);
	if (run.options.count)
		count_prepare(&run);
	if (run.options.verbose)
		tell_start(&run);
	if (launch_supervisor(&run, why, sizeof(why)))
		errx(EXIT_SELF, "%s", why);
	program_exec(path, run.options.argv);
}
