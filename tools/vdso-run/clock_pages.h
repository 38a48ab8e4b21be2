/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The pages by which a hypervisor tells the time, for images.
 *
 * The kernel maps them into every process for its own vDSO, and nobody can map
 * them a second time. So a program's mapping of them is moved to where our image
 * expects it: the program then has the very pages, right at every instant, and
 * the kernel's own vDSO in it can't tell the time any more.
 */
#ifndef VDSO_RUN_CLOCK_PAGES_H
#define VDSO_RUN_CLOCK_PAGES_H

#include "run.h"

/* Pvclock page and Hyper-V page. */
#define CLOCK_PAGES_SIZE	(2 * ARCH_VDSO_PAGE_SIZE)

/**
 * clock_pages_choose() - whether programs are given the pages
 * @run:	its clocks are open
 *
 * They are if the host's clocks go by them now and its kernel lets them be moved.
 * Otherwise clocks that go by them are served by system call, also if the host
 * changes its clock source later on. Sets @run->clock_pages.
 */
void clock_pages_choose(struct run *run);

/**
 * clock_pages_find() - where a program has them
 * @pid:	the program
 *
 * Return: their address, 0: it has none.
 */
u64 clock_pages_find(pid_t pid);

#endif /* VDSO_RUN_CLOCK_PAGES_H */
