// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Linked into one of the kernel's tests, which sleeps for two minutes between two
 * readings of the clocks: ten seconds show the same, and less exactly.
 */
unsigned int __real_sleep(unsigned int seconds);
unsigned int __wrap_sleep(unsigned int seconds);

unsigned int __wrap_sleep(unsigned int seconds)
{
	return __real_sleep(seconds > 10 ? 10 : seconds);
}
