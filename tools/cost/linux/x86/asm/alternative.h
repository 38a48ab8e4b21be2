/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The kernel patches its vDSO when it boots. Nobody does here, so the alternative
 * that it would take on a CPU with all features (RDTSCP among them) stands in its place
 * from the start. Padding is left out: the counts are a little in Linux's favour.
 */
#ifndef COST_LINUX_X86_ALTERNATIVE_H
#define COST_LINUX_X86_ALTERNATIVE_H

#include_next <asm/alternative.h>

#undef ALTERNATIVE_2
#define ALTERNATIVE_2(original, first, first_feature, second, second_feature) second

#endif /* COST_LINUX_X86_ALTERNATIVE_H */
