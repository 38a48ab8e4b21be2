// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * An image whose functions execute a known number of NOPs, NOPS of them each, one after the
 * other or around a loop.
 */
#define STRING(x)	STRING2(x)
#define STRING2(x)	#x

__attribute__((__visibility__("default"))) int __vdso_clock_gettime(int id, void *time);
int __vdso_clock_gettime(int id, void *time)
{
	__asm__ __volatile__(".rept " STRING(NOPS) "\n\tnop\n\t.endr");
	return 0;
}

__attribute__((__visibility__("default"))) int __vdso_gettimeofday(void *time, void *zone);
int __vdso_gettimeofday(void *time, void *zone)
{
	int left = NOPS;

	__asm__("" : "+r"(left));	/* no compiler is to know how often */
	for (; left > 0; left--)
		__asm__ __volatile__("nop");
	return 0;
}
