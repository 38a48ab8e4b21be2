// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Preloaded: clock_gettime() as a fixed sequence, so that a test knows what
 * timer-latency must report. $FAKE_CLOCK lists the differences in ns between one
 * reading and the next, used in turn; every clock id starts that many seconds
 * after 0.
 */
#include <stdlib.h>
#include <time.h>

static long long now;

/* The next number of $FAKE_CLOCK. */
static long long next_step(void)
{
	static const char *at = "";
	char *end;
	long long step;

	if (!*at)
		at = getenv("FAKE_CLOCK");
	step = strtoll(at, &end, 10);
	at = end;
	return step;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	ts->tv_sec = (time_t)(id + now / 1000000000);
	ts->tv_nsec = (long)(now % 1000000000);
	now += next_step();
	return 0;
}
