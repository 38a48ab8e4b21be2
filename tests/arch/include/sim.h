/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The machine that a test simulates: what the hooks in asm/vdso ask of it and
 * tell it. The test sets the fields and looks at them, nothing else does.
 */
#ifndef TESTS_SIM_H
#define TESTS_SIM_H

#include <vdso/types.h>
#include <vdso/result.h>

/* Its counter in struct counter_calibration; no real machine has this number. */
#define COUNTER_SIM	0x51e

/* Where the core has got to. */
enum sim_event {
	SIM_RMB,
	SIM_WMB,
	SIM_RELAX,
	SIM_COUNTER,
};

struct sim_call {
	long	nr, a, b, c;
};

/**
 * struct sim - the simulated machine
 * @counter:	what reading a counter gives
 * @complex:	how reading the complex counter ends
 * @cpu:	the number of the CPU
 * @calls:	system calls made so far
 * @call:	the last of them
 * @result:	what a system call returns
 * @at:		called at every event, unless NULL
 */
struct sim {
	u64		counter;
	enum vdso_read	complex;
	u32		cpu;
	unsigned long	calls;
	struct sim_call	call;
	long		result;
	void		(*at)(enum sim_event event);
};

extern struct sim sim;

static __always_inline void sim_event(enum sim_event event)
{
	barrier();
	if (unlikely(sim.at))
		sim.at(event);
	barrier();
}

#endif /* TESTS_SIM_H */
