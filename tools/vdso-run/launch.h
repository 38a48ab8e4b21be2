/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef VDSO_RUN_LAUNCH_H
#define VDSO_RUN_LAUNCH_H

/**
 * launch_detach() - leave the user's session
 * @name:	what ps shows
 *
 * Afterwards no key on the terminal and no signal to the program's process group
 * reaches this process.
 */
void launch_detach(const char *name);

#endif /* VDSO_RUN_LAUNCH_H */
