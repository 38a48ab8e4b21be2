// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A signal handler returns through the image's trampoline, and an unwinder finds
 * the way through it to main(): by the bytes of the trampoline, for it has no unwind entry, and
 * must not find that of the function before it either.
 *
 * Usage: trampoline. The image is $O/<abi>/vdso.so.
 */
#include <elf.h>
#include <signal.h>
#include <string.h>
#include <unwind.h>
#include "image.h"
#include "../lib/tap.h"

#if defined(__riscv)
#define ABI	"riscv64"
#define NAME	"__vdso_rt_sigreturn"
/* The handler as the kernel would have called it, with the image's trampoline to return to. */
__asm__("begin_handler:\n\tla t0, trampoline\n\tld ra, 0(t0)\n\ttail handle\n");
#elif defined(__aarch64__)
#define ABI	"arm64"
#define NAME	"__kernel_rt_sigreturn"
__asm__("begin_handler:\n\tadrp x9, trampoline\n\tldr x30, [x9, :lo12:trampoline]\n\tb handle\n");
#endif

void begin_handler(int number, siginfo_t *info, void *context);
void handle(int number, siginfo_t *info, void *context);
void __register_frame(void *eh_frame);
int main(void);

unsigned long trampoline;
static int handled, frames;
static bool seen_main;

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *unused)
{
	if (_Unwind_FindEnclosingFunction((void *)_Unwind_GetIP(context)) == (void *)main)
		seen_main = true;
	/* More of them than there are: it goes round in circles. */
	return ++frames > 100 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void handle(int number, siginfo_t *info, void *context)
{
	_Unwind_Backtrace(step, NULL);
	handled++;
}

/* The unwind table, where the header with the table for searching says that it is. */
static void *eh_frame(const char *base)
{
	const Elf64_Ehdr *header = (const void *)base;
	const Elf64_Phdr *segment = (const void *)(base + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++) {
		const char *pointer = base + segment[i].p_vaddr + 4;
		int32_t distance;

		if (segment[i].p_type != PT_GNU_EH_FRAME)
			continue;
		memcpy(&distance, pointer, sizeof(distance));
		return (void *)(pointer + distance);
	}
	return NULL;
}

int main(void)
{
	const struct sigaction action = { .sa_sigaction = begin_handler, .sa_flags = SA_SIGINFO };
	const char *results = getenv("O");
	struct vdso_image image;
	struct vdso_mapping mapping;
	char path[4096], why[256];

	snprintf(path, sizeof(path), "%s/" ABI "/vdso.so", results ? results : "build");
	if (vdso_image_open(&image, path, why, sizeof(why)) ||
	    vdso_image_map(&image, &mapping, 0)) {
		printf("Bail out! %s can't be mapped: make images builds it\n", path);
		return 1;
	}
	trampoline = (unsigned long)mapping.base + vdso_image_symbol(&image, NAME);
	__register_frame(eh_frame((const char *)mapping.base));
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	raise(SIGUSR1);
	ok(handled == 2, "handlers return through " NAME);
	ok(seen_main, "unwinding from a handler reaches main");
	ok(frames < 100, "and ends");
	return tap_done();
}
