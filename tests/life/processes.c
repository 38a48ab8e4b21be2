// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The page belongs to all processes that have it mapped: a child goes on with
 * right time, sees what its parent does to the page, and outlives it.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/tap.h"
#include "life.h"

#define ROUNDS	2000

/* A zone that no machine has: the mark by which a child knows the parent's update. */
#define MARK	(-777)

static bool reads_right_time(void)
{
	bool right = true;

	for (int i = 0; i < ROUNDS; i++)
		for (int clock = 0; clock < 5; clock++)
			right &= life_between(&vdso.clocks[i % CLOCK_FUNCTIONS],
					      life_clocks[clock].id);
	return right;
}

static void *thread_reads(void *unused)
{
	return reads_right_time() ? (void *)1 : NULL;
}

static bool thread_reads_right_time(void)
{
	void *right;

	pthread_join(life_thread_start(thread_reads, NULL, -1), &right);
	return right;
}

/* Runs @body in a child. Returns whether it was true there. */
static bool in_child(bool (*body)(void))
{
	pid_t child = fork();
	int status = -1;

	if (!child)
		_exit(body() ? 0 : 1);
	waitpid(child, &status, 0);
	return status == 0;
}

static bool grandchild_reads_right_time(void)
{
	return reads_right_time() && in_child(reads_right_time) &&
	       in_child(thread_reads_right_time);
}

/* Waits until the parent's update is seen, for 5 s at most. */
static bool sees_mark(void)
{
	int tz[2] = { 0 };

	for (int i = 0; i < 5000; i++) {
		vdso.gettimeofday(NULL, tz);
		if (tz[0] == MARK)
			return true;
		usleep(1000);
	}
	return false;
}

static bool child_sees_update(void)
{
	pid_t child = fork();
	int status = -1;

	if (!child)
		_exit(sees_mark() ? 0 : 1);
	vdso_update_timezone(vdso.page, MARK, 0);
	waitpid(child, &status, 0);
	under_test_update();
	return status == 0;
}

/* What is read after the writer is gone must be right as well. */
static bool outlives_writer(void)
{
	int pipe_fd[2];
	char answer = 0;
	pid_t writer;

	if (pipe(pipe_fd))
		return false;
	writer = fork();
	if (!writer) {
		life_writer_start(life_update_flipping, 0);
		if (!fork()) {
			/* The writer is another process now; it dies in the middle of its work. */
			usleep(20000);
			kill(getppid(), SIGKILL);
			usleep(20000);
			answer = reads_right_time() ? 'y' : 'n';
			_exit(write(pipe_fd[1], &answer, 1) != 1);
		}
		for (;;)
			pause();
	}
	waitpid(writer, NULL, 0);
	close(pipe_fd[1]);
	return read(pipe_fd[0], &answer, 1) == 1 && answer == 'y';
}

static void test_all(void)
{
	ok(reads_right_time() && thread_reads_right_time(), "a process and its thread: right time");
	ok(in_child(grandchild_reads_right_time), "its child, grandchild, their threads: right time");
	ok(child_sees_update(), "a child sees an update made after fork()");
	for (int i = 0; i < 5; i++)
		ok(outlives_writer(), "a writer killed while it updates: its child reads right time");
}

int main(void)
{
	under_test_run(test_all);
	return tap_done();
}
