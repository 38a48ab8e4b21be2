// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "trap.h"

bool trap_emulate(void *ucontext, unsigned long long count)
{
	return false;
}
