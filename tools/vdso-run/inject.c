// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Giving a program our image: at its exec, before its first instruction.
 *
 * The host's vDSO stays where it is. What changes is the one entry of the auxiliary
 * vector by which the C library finds a vDSO.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <unistd.h>
#include <vdso/hooks.h>
#include "clock_pages.h"
#include "count.h"
#include "inject.h"
#include "inspect.h"
#include "timens.h"
#include "tracee.h"

/* System call numbers of the three ABIs; x32 has those of x86-64 plus bit 30. */
#define X32_BIT		0x40000000

struct call_numbers {
	long	mmap, munmap, mremap, shmat, execve;
};

static const struct call_numbers numbers[ABI_COUNT] = {
	[ABI_X86_64]	= { 9, 11, 25, 30, 59 },
	[ABI_X32]	= { X32_BIT + 9, X32_BIT + 11, X32_BIT + 25, X32_BIT + 30, X32_BIT + 520 },
	[ABI_I386]	= { 192, 91, 163, 397, 11 },
};

/* A system call instruction in the host's vDSO of the program, 0: none. */
static u64 find_gadget(const struct program *program)
{
	static const unsigned char syscall_insn[] = { 0x0f, 0x05 };
	static const unsigned char int80_insn[] = { 0xcd, 0x80 };
	const unsigned char *insn = program->abi == ABI_I386 ? int80_insn : syscall_insn;
	static unsigned char text[4 * 4096];
	size_t size = tracee_read(program->pid, program->ehdr, text, sizeof(text));
	unsigned char *found = memmem(text, size, insn, 2);

	return found ? program->ehdr + (u64)(found - text) : 0;
}

static bool attach(struct tracee *t, enum abi abi, int id, u64 address, int flags)
{
	const u64 args[6] = { (u64)id, address, (u64)(SHM_RDONLY | SHM_REMAP | flags) };

	return tracee_syscall(t, numbers[abi].shmat, args) == (long)address;
}

/* The first page; before it the real one behind it in a time namespace, which it leads to. */
static bool attach_pages(const struct run *run, struct tracee *t, enum abi abi, int first, u64 at)
{
	return (first == run->data.segment.id ||
		attach(t, abi, run->data.segment.id, at + ARCH_VDSO_PAGE_SIZE, 0)) &&
	       attach(t, abi, first, at, 0);
}

/* Where the host's clocks go by a hypervisor's pages, they come along: last, for good. */
static bool move_clock_pages(const struct run *run, struct tracee *t, enum abi abi, u64 at)
{
	const u64 to = at + VDSO_PVCLOCK_PAGE * ARCH_VDSO_PAGE_SIZE;
	const u64 args[6] = {
		clock_pages_find(t->pid), CLOCK_PAGES_SIZE, CLOCK_PAGES_SIZE,
		MREMAP_MAYMOVE | MREMAP_FIXED, to,
	};

	return !run->clock_pages ||
	       (args[0] && tracee_syscall(t, numbers[abi].mremap, args) == (long)to);
}

/*
 * The mapping: first page, second page, the hypervisor's clock pages, image. Where
 * those are not used they stay without access: no record says to read them.
 * Returns the image's address, or a negative errno.
 */
static long map_image(struct run *run, struct tracee *t, const struct program *program, int first)
{
	const struct run_image *image = &run->images[program->abi];
	const u64 size = ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE + image->image.mapped_size;
	const u64 reserve[6] = {
		0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~0ull, 0,
	};
	long base = tracee_syscall(t, numbers[program->abi].mmap, reserve);
	u64 at = (u64)base;

	if (base < 0 && base > -4096)
		return base;
	if (attach_pages(run, t, program->abi, first, at) &&
	    attach(t, program->abi, image->segment.id,
		   at + ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE, SHM_EXEC) &&
	    move_clock_pages(run, t, program->abi, at))
		return base + ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE;
	return tracee_syscall(t, numbers[program->abi].munmap,
			      (const u64[6]){ at, size }) ?: -EACCES;
}

/* Why the image could not be mapped, NULL: it could. */
static const char *serve(struct run *run, struct tracee *t, const struct program *program,
			 int first)
{
	long base;
	u64 value;

	base = map_image(run, t, program, first);
	if (base < 0 && base > -4096)
		return "the image can't be mapped into it (its address space is limited, or it is "
		       "in an IPC namespace of its own)";
	value = (u64)base;
	/* Little-endian: a short word is the beginning of a long one. */
	if (tracee_write(program->pid, program->ehdr_at, &value, program->word))
		return "its memory can't be written";
	count_program(run, program->pid, program->abi, value);
	return NULL;
}

/*
 * The kernel does not give a traced program the privileges of its file, unless
 * the tracer has CAP_SYS_PTRACE. So the program starts itself once more, untraced.
 */
static const char *release(struct tracee *t, const struct program *program)
{
	const u64 args[6] = {
		program->execfn, program->stack + program->word, program->envp,
	};

	if (!inspect_same_file(program))
		return "it can't get the privileges of its file while it is traced, and can't be "
		       "started again by its name";
	if (tracee_begin(t) || tracee_leave(t, numbers[program->abi].execve, args))
		return NULL;	/* killed */
	t->pid = 0;
	return "its file gives it privileges";
}

/* First what needs no system call in the program: why not, or NULL and the first page to map. */
static const char *refuse(struct run *run, const struct program *program, int *first)
{
	if (program->filtered)
		return "a seccomp filter is in force";
	if (!run->images[program->abi].present)
		return "there is no image for its ABI";
	if (program->has_gained || program->gains)
		return "its file gives it privileges";
	return timens_first_page(run, program->pid, first);
}

/* A supervisor that dies half way must not leave a half-prepared program behind. */
static const char *serve_safely(struct run *run, struct tracee *t, const struct program *program,
				int first)
{
	const char *problem = NULL;

	if (ptrace(PTRACE_SETOPTIONS, t->pid, 0, run->tracing | PTRACE_O_EXITKILL) ||
	    tracee_begin(t))
		return NULL;
	problem = serve(run, t, program, first);
	if (!tracee_end(t))
		ptrace(PTRACE_SETOPTIONS, t->pid, 0, run->tracing);
	return problem;
}

static void name_of(pid_t pid, char *name, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	snprintf(name, size, "?");
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, (int)size, file))
		name[strcspn(name, "\n")] = 0;
	fclose(file);
}

static const char *decide(struct run *run, struct tracee *t)
{
	struct program program;
	const char *problem = inspect(&program, t->pid);
	int first;

	if (problem)
		return problem;
	t->is_i386 = program.abi == ABI_I386;
	t->gadget = find_gadget(&program);
	if (!t->gadget)
		return "the kernel's vDSO in it has no system call instruction";
	if (program.gains && !program.has_gained)
		return release(t, &program);
	problem = refuse(run, &program, &first);
	return problem ?: serve_safely(run, t, &program, first);
}

void inject(struct run *run, pid_t pid)
{
	struct tracee t = { .pid = pid };
	const char *problem;
	char name[64];

	name_of(pid, name, sizeof(name));
	problem = decide(run, &t);
	if (t.pid && !tracee_is_stopped(&t))
		return;		/* killed meanwhile: nothing of this matters */
	if (problem)
		report("%s (process %d) runs on the host's vDSO: %s", name, pid, problem);
	run->served += !problem;
	run->not_served += !!problem;
	if (t.pid)
		tracee_resume(&t);
}

/*
 * Where a program has our image, if it has; @program takes that and the ABI. The
 * inode number of System V shared memory in /proc is its id.
 */
static bool find_image(const struct run *run, struct program *program)
{
	unsigned long start, inode;
	char path[64], line[512];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", program->pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%*x r-xs %*x %*s %lu", &start, &inode) != 2)
			continue;
		for (int abi = 0; abi < ABI_COUNT && !found; abi++) {
			found = run->images[abi].present &&
				inode == (unsigned long)run->images[abi].segment.id;
			program->abi = abi;
		}
		program->ehdr = start;
	}
	if (file)
		fclose(file);
	return found;
}

/* Why a child keeps its parent's pages, NULL: it does not, or need not. */
static const char *serve_child(struct run *run, struct tracee *t)
{
	struct program program = { .pid = t->pid };
	const char *problem;
	bool done = true;
	int first;

	if (!find_image(run, &program))
		return NULL;
	t->is_i386 = program.abi == ABI_I386;
	t->gadget = find_gadget(&program);
	problem = timens_first_page(run, t->pid, &first);
	if (problem)
		return problem;
	/* As at an exec: it must not go on half prepared if we die. */
	if (!t->gadget || ptrace(PTRACE_SETOPTIONS, t->pid, 0, run->tracing | PTRACE_O_EXITKILL))
		return NULL;
	if (!tracee_begin_child(t)) {
		done = attach_pages(run, t, program.abi, first,
				    program.ehdr - ARCH_VDSO_PAGES * ARCH_VDSO_PAGE_SIZE);
		if (tracee_end(t))
			return NULL;
	}
	ptrace(PTRACE_SETOPTIONS, t->pid, 0, run->tracing);
	return done ? NULL : "the page of its time namespace can't be mapped into it";
}

void inject_child(struct run *run, pid_t pid)
{
	struct tracee t = { .pid = pid };
	const char *problem = NULL;

	if (!timens_is_own(pid))
		problem = serve_child(run, &t);
	if (!tracee_is_stopped(&t))
		return;
	if (problem)
		report("process %d goes on with its parent's time namespace: %s", pid, problem);
	tracee_resume(&t);
}
