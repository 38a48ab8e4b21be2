// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whose vDSO it is, and which calls it answers without the kernel: a tracer counts the
 * system calls that a child makes between two marks. What is served makes none, and what
 * is not makes exactly the one that the function stands for: a 32-bit program that is
 * allowed only the old calls must not be led to a time64 one.
 */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vdso/layout.h>
#include <vdso/note.h>

#include "../../lib/tap.h"
#include "guest.h"

#define CALLS		10
#define MARK		__NR_getppid

#define NO_NUMBER		-1L

/**
 * struct subject - a call to count the system calls of
 * @pair:	whose function takes a clock id; NULL: one of the others
 * @getres:	the pair's getres instead of its gettime
 * @id:		the clock
 * @other:	what else to call
 */
struct subject {
	const struct clock_pair	*pair;
	bool			getres;
	clockid_t		id;
	void			(*other)(void);
};

static struct timespec_buffer buffer;

static void call(const struct subject *s)
{
	if (s->other)
		s->other();
	else if (s->getres)
		s->pair->getres(s->id, &buffer);
	else
		s->pair->gettime(s->id, &buffer);
}

static void call_gettimeofday(void)
{
	vdso.gettimeofday(&buffer, NULL);
}

static void call_timezone(void)
{
	vdso.gettimeofday(NULL, &buffer);
}

static void call_time(void)
{
	vdso.time(NULL);
}

static void call_getcpu(void)
{
	unsigned int cpu, node;

	vdso.getcpu(&cpu, &node, NULL);
}

/* The child's part. */
static void call_between_marks(const struct subject *s)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);	/* somebody else traces it */
	raise(SIGSTOP);
	syscall(MARK);
	for (int i = 0; i < CALLS; i++)
		call(s);
	syscall(MARK);
	_exit(0);
}

/* Lets the child go on to the entry of its next system call, whose number it returns. */
static long next_syscall(pid_t child)
{
	struct __ptrace_syscall_info info;
	int status;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, child, NULL, NULL) ||
		    waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			return NO_NUMBER;
		memset(&info, 0, sizeof(info));
		ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof(info), &info);
		if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
			return (long)info.entry.nr;
	}
}

/**
 * struct count - system calls between the marks
 * @wanted:	of the one that the function stands for
 * @others:	of any other
 * @other:	the number of such a one
 * @complete:	both marks were seen
 */
struct count {
	int	wanted, others;
	long	other;
	bool	complete;
};

/* An x32 image may make the call by its 64-bit number: the kernel's own does. */
static bool same_call(long nr, long wanted)
{
#ifdef __X32_SYSCALL_BIT
	nr &= ~__X32_SYSCALL_BIT;
	wanted &= ~__X32_SYSCALL_BIT;
#endif
	return nr == wanted;
}

static struct count count_syscalls(const struct subject *s, long wanted)
{
	struct count count = { .other = NO_NUMBER };
	pid_t child = fork();
	int status;
	long nr;

	if (!child)
		call_between_marks(s);
	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACESYSGOOD);
	do
		nr = next_syscall(child);
	while (nr != MARK && nr != NO_NUMBER);
	while (nr != NO_NUMBER && (nr = next_syscall(child)) != MARK) {
		if (same_call(nr, wanted)) {
			count.wanted++;
			continue;
		}
		count.others++;
		count.other = nr;
	}
	count.complete = nr == MARK;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return count;
}

/* What is expected of a call. */
enum expectation {
	SERVED,		/* no system call */
	FALLS_BACK,	/* the one that the function stands for, each time */
	EITHER,		/* one of both: the kernel's own vDSO */
};

static void test_subject(const char *what, const struct subject *s, long nr, enum expectation e)
{
	static const char *const words[] = {
		"no system call", "only its own system call", "its own system call or none",
	};
	struct count count = count_syscalls(s, nr);
	bool served = !count.wanted, falls_back = count.wanted == CALLS;
	bool right = e == SERVED ? served : e == FALLS_BACK ? falls_back : served || falls_back;

	if (!ok(count.complete && right && !count.others, "%s: %s", what, words[e]))
		diag("%d calls made its system call %d times, and %d others (number %ld)%s", CALLS,
		     count.wanted, count.others, count.other,
		     count.complete ? "" : "; tracing broke off");
	else if (e == EITHER)
		diag("%s: %s", what, served ? "served" : "not served");
}

/* A clock that needs the counter, or does not. */
static enum expectation expected(bool needs_counter)
{
	if (!machine.uvdso)
		return EITHER;
	return machine.counter || !needs_counter ? SERVED : FALLS_BACK;
}

static void test_clock(const struct clock_pair *pair, const struct guest_clock *clock)
{
	struct subject s = { .pair = pair, .id = clock->id };
	bool exists = has_clock(clock);
	char what[128];

	if (pair->gettime) {
		snprintf(what, sizeof(what), "%s(%s)", pair->gettime_name, clock->name);
		test_subject(what, &s, pair->gettime_nr,
			     exists ? expected(!clock->coarse) : FALLS_BACK);
	}
	if (pair->getres) {
		s.getres = true;
		snprintf(what, sizeof(what), "%s(%s)", pair->getres_name, clock->name);
		test_subject(what, &s, pair->getres_nr, exists ? expected(false) : FALLS_BACK);
	}
}

static void test_pair(const struct clock_pair *pair)
{
	static const struct guest_clock cpu_time[] = {
		{ CLOCK_PROCESS_CPUTIME_ID, "PROCESS_CPUTIME_ID", false, false },
		{ CLOCK_THREAD_CPUTIME_ID, "THREAD_CPUTIME_ID", false, false },
	};
	char what[128];

	for (int i = 0; i < GUEST_CLOCKS; i++)
		test_clock(pair, &guest_clocks[i]);
	for (int i = 0; pair->gettime && i < 2; i++) {
		const struct subject s = { .pair = pair, .id = cpu_time[i].id };

		snprintf(what, sizeof(what), "%s(%s)", pair->gettime_name, cpu_time[i].name);
		test_subject(what, &s, pair->gettime_nr, FALLS_BACK);
	}
}

/* 32-bit x86 kernels before 6.2 have no segment that tells a program its CPU. */
static bool kernel_tells_cpu(void)
{
	unsigned int major, minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return true;
	return *name.machine != 'i' || major > 6 || (major == 6 && minor >= 2);
}

static void test_others(void)
{
	const struct subject tod = { .other = call_gettimeofday };
	const struct subject zone = { .other = call_timezone };
	const struct subject time = { .other = call_time };
	const struct subject getcpu = { .other = call_getcpu };

	if (vdso.gettimeofday) {
		test_subject("gettimeofday", &tod, __NR_gettimeofday, expected(true));
		test_subject("gettimeofday, time zone only", &zone, __NR_gettimeofday, expected(false));
	}
	if (vdso.time)
		test_subject("time", &time, NR_TIME, expected(false));
	if (vdso.getcpu)
		test_subject("getcpu", &getcpu, __NR_getcpu,
			     kernel_tells_cpu() ? expected(false) : FALLS_BACK);
}

/* The layout note among the notes of a segment. */
static const struct vdso_note *find_note(const char *at, size_t size)
{
	const char *end = at + size;

	while (at + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *note = (const void *)at;

		if (note->n_type == VDSO_NOTE_LAYOUT && note->n_namesz == sizeof(VDSO_NOTE_NAME) &&
		    !memcmp(note + 1, VDSO_NOTE_NAME, sizeof(VDSO_NOTE_NAME)))
			return (const void *)at;
		at += sizeof(*note) + ((note->n_namesz + 3) & ~3u) + ((note->n_descsz + 3) & ~3u);
	}
	return NULL;
}

static const struct vdso_note *image_note(void)
{
	const ElfW(Ehdr) *e = (const void *)vdso.base;
	const ElfW(Phdr) *p = (const void *)(vdso.base + e->e_phoff);
	const struct vdso_note *note = NULL;

	for (int i = 0; i < e->e_phnum && !note; i++)
		if (p[i].p_type == PT_NOTE)
			note = find_note(vdso.base + p[i].p_vaddr, p[i].p_memsz);
	return note;
}

int main(int argc, char **argv)
{
	const struct vdso_note *note;

	guest_open(argc, argv);
	if (!ok(vdso.base, "the kernel maps a vDSO"))
		return tap_done();
	/* No kernel of its own has this one. */
	ok(!vdso.calibration == !machine.uvdso, "the vDSO is %s, which %s a counter calibration",
	   machine.uvdso ? "uvdso" : "the kernel's own", machine.uvdso ? "exports" : "has not");
	note = image_note();
	if (note)
		ok(machine.uvdso && note->desc.layout_version == VDSO_LAYOUT_VERSION &&
		   note->desc.page_size == (unsigned long)sysconf(_SC_PAGESIZE),
		   "its note says layout %u, %u pages of %u bytes", note->desc.layout_version,
		   note->desc.pages, note->desc.page_size);
	for (int i = 0; i < CLOCK_PAIRS; i++)
		test_pair(&vdso.pairs[i]);
	test_others();
	return tap_done();
}
