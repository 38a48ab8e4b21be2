// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Calls every function of an image on every path, one instruction at a time, and
 * at each of them lets the C runtime's unwinder go from there to the caller: it
 * must arrive with the right stack pointer and the caller's registers.
 *
 * Prints what it saw for tests/image/unwind to judge, one line each:
 *	visited OFFSET		an instruction was stepped over
 *	wrong OFFSET WHAT	unwinding from there went wrong
 *	stack BYTES FUNCTION	the deepest stack use of a call, return address included
 *	calls NUMBER		how many there were
 *
 * The ABI is the end of the program's name. A 64-bit program steps through the
 * x32 image as well; stack and data have to lie below 4 GiB then. Every call
 * has TINY_STACK bytes of stack and no more.
 */
#include <cpuid.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <vdso/hooks.h>
#include <vdso/update.h>

#include "mapped.h"

#define TINY_STACK	1024
#define IMAGE_ROOM	(64 << 10)
#define FILL		0xa5
#define TRAP_FLAG	0x100

/* What the assembly below reads and writes: all fields are a register wide. */
struct {
	long fn, arg[3], stack, saved_sp, result, flags, sp;
} thunk;

void stepped_call(void);
extern char stepped_return[];

/*
 * Calls thunk.fn on thunk.stack with its own mark in every register that a
 * function has to keep, and with the trap flag set if thunk.flags says so: a
 * SIGTRAP after each instruction (Intel SDM volume 3, "Single-Step Exception
 * Condition"). System V ABI: which registers are kept and where arguments go.
 */
#ifdef __x86_64__
#define MARKS	{ 3, 6, 12, 13, 14, 15 }	/* rbx rbp r12 r13 r14 r15, as DWARF counts them */
__asm__(".pushsection .text\n"
	"stepped_call:\n"
	"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
	"	mov %rsp, 40+thunk(%rip)\n"
	"	mov 32+thunk(%rip), %rsp\n"
	"	mov 8+thunk(%rip), %rdi; mov 16+thunk(%rip), %rsi; mov 24+thunk(%rip), %rdx\n"
	"	mov $0x5eed0003, %ebx; mov $0x5eed0006, %ebp; mov $0x5eed000c, %r12d\n"
	"	mov $0x5eed000d, %r13d; mov $0x5eed000e, %r14d; mov $0x5eed000f, %r15d\n"
	"	mov %rsp, 64+thunk(%rip)\n"
	"	mov 56+thunk(%rip), %rax\n"
	"	pushf; or %rax, (%rsp); popf\n"
	"	call *thunk(%rip)\n"
	"stepped_return:\n"
	"	pushf; andl $~0x100, (%rsp); popf\n"
	"	mov %rax, 48+thunk(%rip)\n"
	"	mov 40+thunk(%rip), %rsp\n"
	"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
	"	ret\n"
	".popsection");
#define CONTEXT_IP	REG_RIP
#else
#define MARKS	{ 3, 5, 6, 7 }			/* ebx ebp esi edi */
__asm__(".pushsection .text\n"
	"stepped_call:\n"
	"	push %ebx; push %ebp; push %esi; push %edi\n"
	"	mov %esp, 20+thunk\n"
	"	mov 16+thunk, %esp\n"
	"	sub $4, %esp; push 12+thunk; push 8+thunk; push 4+thunk\n"
	"	mov $0x5eed0003, %ebx; mov $0x5eed0005, %ebp\n"
	"	mov $0x5eed0006, %esi; mov $0x5eed0007, %edi\n"
	"	mov %esp, 32+thunk\n"
	"	mov 28+thunk, %eax\n"
	"	pushf; or %eax, (%esp); popf\n"
	"	call *thunk\n"
	"stepped_return:\n"
	"	pushf; andl $~0x100, (%esp); popf\n"
	"	mov %eax, 24+thunk\n"
	"	mov 20+thunk, %esp\n"
	"	pop %edi; pop %esi; pop %ebp; pop %ebx\n"
	"	ret\n"
	".popsection");
#define CONTEXT_IP	REG_EIP
#endif
#define MARK	0x5eed0000u

static char *stack;		/* TINY_STACK bytes, a page without access in front */
static struct vdso_page *page;
static bool x32;

/* What the pages hold: filled anew for each call, as stepping makes a base grow old. */
static struct {
	void (*fill)(void);
	bool namespace;
	u32 cpu_mode;
} machine;
static void prepare_pages(void);

/* How often, per instruction; an entry that is wrong is so from the first time on. */
static unsigned char visited[IMAGE_ROOM];
static bool reported[IMAGE_ROOM];
#define ENOUGH_VISITS	8

static unsigned long steps, calls, interfere_at;

/* An instruction from which unwinding failed is reported once. */
static void wrong(unsigned long ip, const char *what)
{
	unsigned long offset = ip - (unsigned long)mapping.base;

	if (!reported[offset])
		printf("wrong %#lx %s\n", offset, what);
	reported[offset] = true;
}

struct walk {
	unsigned long ip;
	unsigned int frames;
	bool arrived;
};

static void check_caller(struct _Unwind_Context *context, unsigned long ip)
{
	static const int marks[] = MARKS;

	if (_Unwind_GetCFA(context) != (unsigned long)thunk.sp)
		wrong(ip, "the caller's stack pointer is wrong");
	for (unsigned int i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (_Unwind_GetGR(context, marks[i]) != (MARK | (unsigned int)marks[i]))
			wrong(ip, "a register of the caller is wrong");
}

/* One frame: first this handler's own, then the signal's, the image's, the caller's. */
static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *walk = arg;

	if (_Unwind_GetIP(context) == (unsigned long)stepped_return) {
		walk->arrived = true;
		check_caller(context, walk->ip);
		return _URC_NORMAL_STOP;
	}
	return ++walk->frames < 10 ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static void visit(unsigned long ip)
{
	unsigned char *visits = &visited[ip - (unsigned long)mapping.base];
	struct walk walk = { .ip = ip };

	if (*visits == ENOUGH_VISITS)
		return;
	++*visits;
	_Unwind_Backtrace(on_frame, &walk);
	if (!walk.arrived)
		wrong(ip, "the caller is not reached");
}

/* A writer or hypervisor that comes in between: every version number changes. */
static void interfere(void)
{
	for (int i = 0; i < VDSO_CLOCKS; i++) {
		page->clock[i].seq += 2;
		page[2].clock[i].seq += 2;	/* a page is two structs long */
	}
	((struct pvclock_time_info *)((char *)page + VDSO_PVCLOCK_PAGE * 4096))->version += 2;
	((struct hyperv_tsc_page *)((char *)page + VDSO_HVCLOCK_PAGE * 4096))->sequence += 1;
}

/*
 * The trap flag skips the instruction behind a system call, so the system call is
 * made here: SYSCALL is 0f 05, INT 0x80 is cd 80 (Intel SDM volume 2).
 */
static bool system_call(greg_t *r)
{
	const unsigned char *code = (const unsigned char *)r[CONTEXT_IP];

#ifdef __x86_64__
	if (code[0] != 0x0f || code[1] != 0x05)
		return false;
	r[REG_RAX] = arch_vdso_syscall(r[REG_RAX], r[REG_RDI], r[REG_RSI], r[REG_RDX]);
#else
	if (code[0] != 0xcd || code[1] != 0x80)
		return false;
	r[REG_EAX] = arch_vdso_syscall(r[REG_EAX], r[REG_EBX], r[REG_ECX], r[REG_EDX]);
#endif
	r[CONTEXT_IP] += 2;
	return true;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (!in_image((unsigned long)r[CONTEXT_IP]))
		return;
	do {
		if (++steps == interfere_at)
			interfere();
		visit((unsigned long)r[CONTEXT_IP]);
	} while (system_call(r));
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	printf("wrong %#lx fault at %p, the stack is %p to %p\n",
	       (unsigned long)r[CONTEXT_IP] - (unsigned long)mapping.base, info->si_addr,
	       stack, stack + TINY_STACK);
	fflush(stdout);
	_exit(EXIT_FAILURE);
}

/* One call of an exported function; nothing where the ABI does not have it. */
static void call(const char *name, long a, long b, long c, bool step)
{
	uint64_t offset = vdso_image_symbol(&image, name);
	char *deepest = stack;

	if (!offset)
		return;
	memset(stack, FILL, TINY_STACK);
	prepare_pages();
	thunk.fn = (long)(mapping.base + offset);
	thunk.arg[0] = a;
	thunk.arg[1] = b;
	thunk.arg[2] = c;
	thunk.stack = (long)(stack + TINY_STACK);
	thunk.flags = step ? TRAP_FLAG : 0;
	stepped_call();
	while (deepest < stack + TINY_STACK && (unsigned char)*deepest == FILL)
		deepest++;
	calls++;
	printf("stack %ld %s\n", (long)thunk.sp - (long)deepest, name);
}

/* What the functions write into. */
static char *data;

static void call_clock(const char *gettime, const char *getres)
{
	static const int ids[] = { CLOCK_MONOTONIC, CLOCK_REALTIME_COARSE,
				   CLOCK_THREAD_CPUTIME_ID, VDSO_CLOCKS };

	for (unsigned int i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		call(gettime, ids[i], (long)data, 0, true);
		call(getres, ids[i], (long)data, 0, true);
		call(getres, ids[i], 0, 0, true);
	}
	call(gettime, CLOCK_REALTIME, 0, 0, true);
	call(gettime, CLOCK_REALTIME, (long)data, 0, false);
}

static void call_all(void)
{
	call_clock("__vdso_clock_gettime", "__vdso_clock_getres");
	call_clock("__vdso_clock_gettime64", "__vdso_clock_getres_time64");
	for (int i = 0; i < 4; i++) {
		long first = i & 1 ? (long)data : 0, second = i & 2 ? (long)data + 64 : 0;

		call("__vdso_gettimeofday", first, second, 0, true);
		call("__vdso_getcpu", first, second, 0, true);
		call("__vdso_time", first, 0, 0, true);
	}
	call("__vdso_linux_tsc_calibration", (long)data, 0, 0, true);
	call("__kernel_vsyscall", 0, 0, 0, true);
}

/*
 * One call again and again, with the writer coming in ever later. No record is
 * read in so few instructions that a stride of 4 could miss it; a step costs 10 us.
 */
#define STRIDE	4

static void call_interfered(const char *name, long a, long b)
{
	unsigned long length;

	steps = 0;
	call(name, a, b, 0, true);
	length = steps;
	for (interfere_at = 1; interfere_at <= length; interfere_at += STRIDE) {
		steps = 0;
		call(name, a, b, 0, true);
	}
	interfere_at = 0;
}

static void call_all_interfered(void)
{
	call_interfered("__vdso_clock_gettime", CLOCK_MONOTONIC, (long)data);
	call_interfered("__vdso_clock_gettime", CLOCK_MONOTONIC_COARSE, (long)data);
	call_interfered("__vdso_clock_gettime64", CLOCK_MONOTONIC, (long)data);
	call_interfered("__vdso_clock_gettime64", CLOCK_MONOTONIC_COARSE, (long)data);
	call_interfered("__vdso_gettimeofday", (long)data, 0);
	call_interfered("__vdso_time", (long)data, 0);
	call_interfered("__vdso_linux_tsc_calibration", (long)data, 0);
}

/* The pages, as each kind of machine has them. */

static void fill_slope(u32 mode, u64 cycle_last, u64 nsec, u32 mult, u32 shift)
{
	struct vdso_timebase base = {
		.mode = mode, .mult = mult, .shift = shift, .res = 1,
		.cycle_last = cycle_last, .mask = U64_MAX, .sec = 1234567, .nsec = nsec,
	};
	struct vdso_timekeeper tk = {
		.real = base, .raw = base, .coarse_res = 4000000, .counter_khz = 2000000,
		.alarm_clocks = true, .aux_enabled = 0x80, .aux[7] = base,
	};

	memset(page, 0, 4 * 4096);
	vdso_update(page, &tk);
}

static void fill(u32 mode, u64 cycle_last, u64 nsec)
{
	fill_slope(mode, cycle_last, nsec, 1 << 22, 23);
}

static void fill_lfence(void)
{
	fill(VDSO_MODE_TSC_LFENCE, __builtin_ia32_rdtsc(), 5);
}

static void fill_rdtscp(void)
{
	fill(VDSO_MODE_TSC_RDTSCP, __builtin_ia32_rdtsc(), 5);
}

static void fill_carry(void)
{
	fill(VDSO_MODE_TSC_LFENCE, __builtin_ia32_rdtsc(), (999999999ull << 23) + 8000000);
}

static void fill_behind(void)
{
	fill(VDSO_MODE_TSC_LFENCE, __builtin_ia32_rdtsc() + (1ull << 40), 5);
}

static void fill_stale(void)
{
	fill(VDSO_MODE_TSC_RDTSCP, __builtin_ia32_rdtsc() - (1ull << 40), 5);
}

/* Sums of the long way that carry beyond 64 bits: of the product with the base, */
static void fill_carry_product(void)
{
	fill(VDSO_MODE_TSC_LFENCE, __builtin_ia32_rdtsc() - ((1ull << 42) - (1ull << 29)),
	     999999999ull << 23);
}

/* and of the nanoseconds with a namespace's offset. */
static void fill_carry_offset(void)
{
	fill_slope(VDSO_MODE_TSC_LFENCE, __builtin_ia32_rdtsc() - ((1ull << 63) - (1ull << 28)),
		   0, 2, 0);
}

static void fill_unusable(void)
{
	fill(VDSO_MODE_SYSCALL, 0, 5);
}

static void fill_empty(void)
{
	memset(page, 0, 4 * 4096);
}

static void fill_dead(void)
{
	fill_lfence();
	for (int i = 0; i < VDSO_CLOCKS; i++)
		page->clock[i].seq |= 1;
}

/* The writer died between two clocks of a calibration. */
static void fill_raw_dead(void)
{
	fill_lfence();
	page->clock[CLOCK_MONOTONIC_RAW].seq |= 1;
}

static void fill_unknown_mode(void)
{
	fill_lfence();
	for (int i = 0; i < VDSO_CLOCKS; i++)
		page->clock[i].mode = 77;
}

static struct pvclock_time_info *pvclock(void)
{
	return (void *)((char *)page + VDSO_PVCLOCK_PAGE * 4096);
}

static void fill_pvclock(void)
{
	fill(VDSO_MODE_PVCLOCK, 0, 5);
	*pvclock() = (struct pvclock_time_info){
		.version = 2, .tsc_timestamp = __builtin_ia32_rdtsc(), .system_time = 1000,
		.tsc_to_system_mul = 1u << 31, .tsc_shift = 1, .flags = PVCLOCK_TSC_STABLE,
	};
}

static void fill_pvclock_right(void)
{
	fill_pvclock();
	pvclock()->tsc_shift = -1;
}

static void fill_pvclock_behind(void)
{
	fill_pvclock();
	pvclock()->tsc_timestamp += 1ull << 40;
}

static void fill_pvclock_unstable(void)
{
	fill_pvclock();
	pvclock()->flags = 0;
}

static void fill_pvclock_dead(void)
{
	fill_pvclock();
	pvclock()->version = 3;
}

static void fill_hvclock(void)
{
	fill(VDSO_MODE_HVCLOCK, 0, 5);
	*(struct hyperv_tsc_page *)((char *)page + VDSO_HVCLOCK_PAGE * 4096) =
		(struct hyperv_tsc_page){ .sequence = 1, .scale = 1ull << 40, .offset = 5 };
}

static void fill_hvclock_invalid(void)
{
	fill(VDSO_MODE_HVCLOCK, 0, 5);
}

/* What is on the first page moves to the second, and the first becomes a namespace's. */
static void into_namespace(void)
{
	const struct vdso_offset offset = { .sec = -5, .nsec = 999999999 };

	memcpy((char *)page + 4096, page, 4096);
	vdso_fill_timens(page, (void *)((char *)page + 4096), &offset, &offset);
}

static void prepare_pages(void)
{
	machine.fill();
	vdso_set_cpu(page, machine.cpu_mode, 0x7b);	/* of 64-bit kernels: GDT entry 15 */
	if (machine.namespace)
		into_namespace();
}

static void (*const fills[])(void) = {
	fill_lfence, fill_rdtscp, fill_carry, fill_behind, fill_stale,
	fill_carry_product, fill_carry_offset, fill_unusable, fill_empty,
	fill_dead, fill_raw_dead, fill_unknown_mode,
	fill_pvclock, fill_pvclock_right, fill_pvclock_behind,
	fill_pvclock_unstable, fill_pvclock_dead, fill_hvclock, fill_hvclock_invalid,
};

static void call_with(void (*fill)(void), u32 cpu_mode, void (*calls)(void))
{
	machine.fill = fill;
	machine.cpu_mode = cpu_mode;
	machine.namespace = false;
	calls();
	machine.namespace = true;
	calls();
}

/* RDPID: Intel SDM volume 2, CPUID leaf 7, ECX bit 22. */
static bool has_rdpid(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && c & 1 << 22;
}

static void call_on_all_machines(void)
{
	for (unsigned int i = 0; i < sizeof(fills) / sizeof(*fills); i++)
		call_with(fills[i], VDSO_CPU_SYSCALL, call_all);
	call_with(fill_lfence, VDSO_CPU_LSL, call_all);
	if (has_rdpid())
		call_with(fill_lfence, VDSO_CPU_RDPID, call_all);
	else
		puts("without rdpid: this CPU does not have it");
	call_with(fill_lfence, VDSO_CPU_SYSCALL, call_all_interfered);
	call_with(fill_pvclock, VDSO_CPU_SYSCALL, call_all_interfered);
	call_with(fill_hvclock, VDSO_CPU_SYSCALL, call_all_interfered);
}

/* Pages that the image's pointers reach, in a program linked to low addresses. */
static void get_memory(void)
{
	int low = x32 ? 0x40 /* MAP_32BIT */ : 0;
	char *at = mmap(NULL, 4 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | low, -1, 0);
	static char signal_stack[64 << 10];
	stack_t alternate = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) };

	if (at == MAP_FAILED || mprotect(at + 4096, 4096, PROT_READ | PROT_WRITE) ||
	    mprotect(at + 3 * 4096, 4096, PROT_READ | PROT_WRITE) ||
	    sigaltstack(&alternate, NULL)) {
		perror("wrong 0 cannot get memory");
		exit(EXIT_FAILURE);
	}
	stack = at + 4096;
	data = at + 3 * 4096;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaction(number, &action, NULL);
}

int main(int argc, char **argv)
{
	const char *dash = strrchr(argv[0], '-');

	x32 = dash && !strcmp(dash, "-x32");
	map_image(dash ? dash + 1 : "x86_64", x32 ? 0x60000000 : 0);
	if (image.load_size > IMAGE_ROOM) {
		puts("wrong 0 the image is larger than IMAGE_ROOM of tests/image/step.c");
		return EXIT_FAILURE;
	}
	page = mapping.pages;
	get_memory();
	handle(SIGTRAP, on_trap);
	handle(SIGSEGV, on_fault);

	call_on_all_machines();
	for (unsigned long offset = 0; offset < IMAGE_ROOM; offset++)
		if (visited[offset])
			printf("visited %#lx\n", offset);
	printf("calls %lu\n", calls);
	return EXIT_SUCCESS;
}
