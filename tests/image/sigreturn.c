// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Where signal handlers of 32-bit programs return to: from a handler and from every
 * instruction of the trampolines, the C runtime's unwinder arrives at the interrupted
 * instruction with the interrupted registers; after the return, these are as before.
 *
 * The signal is a SIGSEGV for a store into a page without access. The handler gives
 * access, and the store is tried again.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unwind.h>

#include "mapped.h"
#include "../lib/tap.h"

#define TRAP_FLAG	0x100
#define KERNEL_RESTORER	0x04000000	/* SA_RESTORER */

/*
 * Seven registers as DWARF counts them, without esp, each with a mark of its own.
 * Flags: carry, parity, adjust, zero, sign, direction, overflow (Intel SDM volume 1,
 * "EFLAGS Register"); signal handlers begin with a cleared direction flag.
 */
#define MARK		0x5eed0000u
#define FLAGS		0xcd5

static const int marks[] = { 0, 1, 2, 3, 5, 6, 7 };	/* eax ecx edx ebx ebp esi edi */

struct {
	unsigned long reg[8], flags, sp;	/* reg[4]: esp */
} after;

char guarded[4096] __attribute__((aligned(4096)));

void raise_signal(void);
extern char interrupted[], interrupted_caller[];

/*
 * The store is the first instruction of its function: an unwinder that takes its
 * address for a return address and looks in front of it finds no entry there.
 * CFI directives: manual of GNU as, "CFI directives".
 */
__asm__(".pushsection .text\n"
	"	.p2align 4\n"
	"raise_signal:\n"
	"	.cfi_startproc\n"
	"	push %ebx; .cfi_adjust_cfa_offset 4; .cfi_rel_offset ebx, 0\n"
	"	push %ebp; .cfi_adjust_cfa_offset 4; .cfi_rel_offset ebp, 0\n"
	"	push %esi; .cfi_adjust_cfa_offset 4; .cfi_rel_offset esi, 0\n"
	"	push %edi; .cfi_adjust_cfa_offset 4; .cfi_rel_offset edi, 0\n"
	"	push $0xcd5; .cfi_adjust_cfa_offset 4\n"
	"	popf; .cfi_adjust_cfa_offset -4\n"
	"	mov $0x5eed0000, %eax; mov $0x5eed0001, %ecx; mov $0x5eed0002, %edx\n"
	"	mov $0x5eed0003, %ebx; mov $0x5eed0005, %ebp\n"
	"	mov $0x5eed0006, %esi; mov $0x5eed0007, %edi\n"
	"	mov %esp, 36+after\n"
	"	call interrupted\n"
	"interrupted_caller:\n"
	"	cld\n"
	"	pop %edi; .cfi_adjust_cfa_offset -4; .cfi_restore edi\n"
	"	pop %esi; .cfi_adjust_cfa_offset -4; .cfi_restore esi\n"
	"	pop %ebp; .cfi_adjust_cfa_offset -4; .cfi_restore ebp\n"
	"	pop %ebx; .cfi_adjust_cfa_offset -4; .cfi_restore ebx\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.p2align 4\n"
	"	.skip 16, 0x90\n"
	"interrupted:\n"
	"	.cfi_startproc\n"
	"	mov %eax, guarded\n"
	"	mov %eax, after; mov %ecx, 4+after; mov %edx, 8+after; mov %ebx, 12+after\n"
	"	mov %esp, 16+after; mov %ebp, 20+after; mov %esi, 24+after; mov %edi, 28+after\n"
	"	pushf; .cfi_adjust_cfa_offset 4\n"
	"	pop 32+after; .cfi_adjust_cfa_offset -4\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".popsection");

/* The two trampolines: instructions begin at these offsets. */
static const struct trampoline {
	const char *name;
	int flags;
	unsigned int size, steps, step[3];
	const char *code;
} trampolines[] = {
	/* popl %eax; movl $__NR_sigreturn, %eax; int $0x80 */
	{ "__kernel_sigreturn", 0, 8, 3, { 0, 1, 6 }, "\x58\xb8\x77\0\0\0\xcd\x80" },
	/* movl $__NR_rt_sigreturn, %eax; int $0x80 */
	{ "__kernel_rt_sigreturn", SA_SIGINFO, 7, 2, { 0, 5 }, "\xb8\xad\0\0\0\xcd\x80" },
};

static unsigned long trampoline;	/* address of the one that is tested */
static bool stepping;
static int handled;
static unsigned int visits;
static unsigned long visited[8];

/* How far the unwinder came, and what was wrong first. */
struct walk {
	unsigned long from;	/* of the trampoline: where it is expected to be */
	unsigned int arrived;	/* 1: there, 2: at the interrupted instruction, 3: its caller */
	const char *wrong;
};

static struct walk from_handler, from_step[8];

static void check(struct walk *walk, bool right, const char *wrong)
{
	if (!right && !walk->wrong)
		walk->wrong = wrong;
}

static void check_interrupted(struct walk *walk, struct _Unwind_Context *context, int before)
{
	check(walk, before == 1, "the trampoline is not known for a signal frame");
	check(walk, _Unwind_GetCFA(context) == after.sp - 4, "the stack pointer is wrong");
	for (unsigned int i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		check(walk, _Unwind_GetGR(context, marks[i]) == (MARK | (unsigned int)marks[i]),
		      "an interrupted register is wrong");
}

/* First the handler, then trampoline, interrupted function and its caller one by one. */
static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *arg)
{
	int before = 0;
	unsigned long ip = _Unwind_GetIPInfo(context, &before);
	struct walk *walk = arg;

	if (walk->arrived == 0 && ip == walk->from) {
		walk->arrived = 1;
	} else if (walk->arrived == 1) {
		if (ip != (unsigned long)interrupted)
			return _URC_NORMAL_STOP;
		walk->arrived = 2;
		check_interrupted(walk, context, before);
	} else if (walk->arrived == 2) {
		if (ip != (unsigned long)interrupted_caller)
			return _URC_NORMAL_STOP;
		walk->arrived = 3;
		check(walk, !before, "the caller is taken for interrupted");
		check(walk, _Unwind_GetCFA(context) == after.sp,
		      "the caller's stack pointer is wrong");
		return _URC_NORMAL_STOP;
	}
	return _URC_NO_REASON;
}

static void unwind(struct walk *walk, unsigned long from)
{
	static const char *const short_of[] = {
		"the trampoline is not reached", "the interrupted instruction is not reached",
		"the interrupted function's caller is not reached",
	};

	walk->from = from;
	_Unwind_Backtrace(on_frame, walk);
	if (walk->arrived < 3)
		walk->wrong = short_of[walk->arrived];
}

/*
 * Serves both kinds of handler: the signal number is the first argument of either.
 * The trap flag (Intel SDM volume 3, "Single-Step Exception Condition") lasts until the
 * return from the signal, which brings the interrupted flags back.
 */
static void on_fault(int number)
{
	if (handled++)
		_exit(EXIT_FAILURE);	/* the access that was given did not help */
	unwind(&from_handler, trampoline);
	mprotect(guarded, sizeof(guarded), PROT_READ | PROT_WRITE);
	if (stepping)
		__asm__ volatile("pushf; orl %0, (%%esp); popf" : : "i" (TRAP_FLAG) : "memory", "cc");
}

/*
 * The handler has brought some registers back itself: the unwinder could take them from
 * there. So they are changed, where only the signal frame still has the interrupted ones;
 * a trampoline needs none but eax and esp.
 */
static void on_trap(int number, siginfo_t *info, void *context)
{
	static const int unneeded[] = { REG_ECX, REG_EDX, REG_EBX, REG_EBP, REG_ESI, REG_EDI };
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	unsigned long ip = (unsigned long)r[REG_EIP];

	if (!in_image(ip) || visits == sizeof(visited) / sizeof(*visited))
		return;
	for (unsigned int i = 0; i < sizeof(unneeded) / sizeof(*unneeded); i++)
		r[unneeded[i]] = 0;
	visited[visits] = ip - trampoline;
	unwind(&from_step[visits++], ip);
}

/* The C library's sigaction() has no place for a trampoline: rt_sigaction(2) has. */
static bool handle_with(const struct trampoline *t)
{
	const struct {
		void (*handler)(int);
		unsigned long flags, restorer, mask[2];
	} action = { on_fault, KERNEL_RESTORER | (unsigned int)t->flags, trampoline, { 0, 0 } };

	return !syscall(SYS_rt_sigaction, SIGSEGV, &action, NULL, sizeof(action.mask));
}

static bool registers_as_before(void)
{
	bool right = after.reg[4] == after.sp - 4 && (after.flags & FLAGS) == FLAGS;

	for (unsigned int i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		right &= after.reg[marks[i]] == (MARK | (unsigned int)marks[i]);
	return right && !(after.flags & TRAP_FLAG);
}

static void interrupt(const struct trampoline *t, bool step)
{
	memset(&after, 0, sizeof(after));
	memset(&from_handler, 0, sizeof(from_handler));
	stepping = step;
	handled = 0;
	if (mprotect(guarded, sizeof(guarded), PROT_NONE) || !handle_with(t)) {
		perror("Bail out! cannot prepare a signal");
		exit(EXIT_FAILURE);
	}
	raise_signal();
	if (!ok(handled == 1 && !from_handler.wrong, "%s%s: unwinding from the handler", t->name,
		step ? ", stepped" : ""))
		diag("%s", handled ? from_handler.wrong : "the handler was not called");
	ok(registers_as_before(), "%s%s: all registers are as before", t->name,
	   step ? ", stepped" : "");
}

static void test_steps(const struct trampoline *t)
{
	bool all = visits == t->steps;

	for (unsigned int i = 0; all && i < visits; i++)
		all = visited[i] == t->step[i];
	ok(all, "%s: stepped over each of its instructions", t->name);
	for (unsigned int i = 0; i < visits; i++)
		if (!ok(!from_step[i].wrong, "%s: unwinding from offset %lu", t->name, visited[i]))
			diag("%s", from_step[i].wrong);
}

/* libgcc's own, without a header: where the entry that it finds for an address begins. */
struct dwarf_eh_bases {
	void *tbase, *dbase, *func;
};
const void *_Unwind_Find_FDE(void *address, struct dwarf_eh_bases *bases);

/*
 * libgcc falls back on the bytes of the code where it finds no entry, and so would hide
 * that there is none for the byte in front, where it looks for a return address.
 */
static void test_entry(const struct trampoline *t)
{
	struct dwarf_eh_bases bases = { 0 };

	ok(_Unwind_Find_FDE((void *)(trampoline - 1), &bases) &&
	   (unsigned long)bases.func == trampoline - 1,
	   "%s: its unwind entry covers the byte in front of it", t->name);
	ok(!memcmp((void *)trampoline, t->code, t->size), "%s: the bytes debuggers look for",
	   t->name);
}

static void test(const struct trampoline *t)
{
	uint64_t offset = vdso_image_symbol(&image, t->name);

	if (!ok(offset, "%s is exported", t->name))
		return;
	trampoline = (unsigned long)(mapping.base + offset);
	visits = 0;
	memset(from_step, 0, sizeof(from_step));
	test_entry(t);
	interrupt(t, false);
	interrupt(t, true);
	test_steps(t);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	if (getenv("EMULATOR")) {
		tap_skip("trampolines", "the emulator has its own: no 32-bit programs here");
		return tap_done();
	}
	map_image("i386", 0);
	sigaction(SIGTRAP, &action, NULL);
	for (unsigned int i = 0; i < sizeof(trampolines) / sizeof(*trampolines); i++)
		test(&trampolines[i]);
	return tap_done();
}
