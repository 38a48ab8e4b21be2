// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The first and only process that the guest's kernel starts. Runs the programs of
 * /list one after the other and tells the host by lines on the console, which begin
 * with "@ " so that they can be told from the kernel's own:
 *
 *	@ run NAME			a program starts
 *	@ | TEXT			it printed a line
 *	@ exit N | signal N | timeout	how it ended
 *	@ kernel TEXT			the kernel complained, as its log says
 *	@ end				all were run
 *
 * A line of /list is NAME, SECONDS, FOLDER and the command, separated by tabs; the words of
 * the command by blanks. Called as "sh -c COMMAND" by system(), it is the guest's shell: it
 * starts one program, and knows ">/dev/null".
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_WORDS	64
#define MAX_LINE	1000

enum { LOG_READ_ALL = 3, LOG_CONSOLE_LEVEL = 8 };	/* syslog(2) */

/* In one piece: a line of the kernel's must not come in between. */
__attribute__((format(printf, 1, 2)))
static void tell(const char *what, ...)
{
	char line[MAX_LINE + 64] = "@ ";
	va_list args;
	size_t length;

	va_start(args, what);
	vsnprintf(line + 2, sizeof(line) - 3, what, args);
	va_end(args);
	for (char *c = line; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = *c == '\t' ? ' ' : '?';
	length = strlen(line);
	line[length++] = '\n';
	while (write(STDOUT_FILENO, line, length) < 0 && errno == EINTR)
		;
}

/* Runs the words in place of this process. */
static void run_words(char *command)
{
	char *words[MAX_WORDS], *save;
	int count = 0;

	for (char *word = strtok_r(command, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!strncmp(word, ">/", 2))
			dup2(open(word + 1, O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		else if (count < MAX_WORDS - 1)
			words[count++] = word;
	}
	words[count] = NULL;
	if (count)
		execv(words[0], words);
	dprintf(STDERR_FILENO, "%s: %s\n", count ? words[0] : "no command", strerror(errno));
	_exit(127);
}

/* The child of run(). */
static void start(const char *folder, char *command, int output)
{
	setsid();
	dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	if (chdir(folder))
		dprintf(STDERR_FILENO, "%s: %s\n", folder, strerror(errno));
	run_words(command);
}

/* By the clock that no test sets, and by system call only. */
static double uptime(void)
{
	char text[64] = "";
	int fd = open("/proc/uptime", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		*text = 0;
	close(fd);
	return atof(text);
}

/* Passes lines on; a last one without line feed as well. */
static void pass_on(const char *bytes, ssize_t count)
{
	static char line[MAX_LINE];
	static size_t length;

	for (ssize_t i = 0; i < count; i++) {
		if (bytes[i] != '\n' && length < sizeof(line) - 1) {
			line[length++] = bytes[i];
			continue;
		}
		line[length] = 0;
		tell("| %s", line);
		length = 0;
	}
	if (!count && length) {
		line[length] = 0;
		tell("| %s", line);
		length = 0;
	}
}

/* Until the program closes its output. Returns false if that took too long. */
static bool forward(int input, double seconds)
{
	double end = uptime() + seconds;
	char bytes[4096];

	for (;;) {
		struct pollfd poll_fd = { .fd = input, .events = POLLIN };
		double left = end - uptime();
		ssize_t count;

		if (left <= 0)
			return false;
		if (poll(&poll_fd, 1, (int)(left * 1000) + 1) <= 0)
			continue;
		count = read(input, bytes, sizeof(bytes));
		pass_on(bytes, count < 0 ? 0 : count);
		if (count <= 0)
			return true;
	}
}

static void run(const char *name, double seconds, const char *folder, char *command)
{
	int ends[2], status = 0;
	bool in_time;
	pid_t child;

	tell("run %s", name);
	if (pipe(ends))
		return tell("exit 126");
	child = fork();
	if (!child) {
		close(ends[0]);
		start(folder, command, ends[1]);
	}
	close(ends[1]);
	in_time = forward(ends[0], seconds);
	pass_on(NULL, 0);
	/* It may have closed its output without an end; what it left behind goes as well. */
	if (!in_time)
		kill(child, SIGKILL);
	waitpid(child, &status, 0);
	kill(-1, SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	close(ends[0]);
	if (!in_time)
		tell("timeout");
	else if (WIFSIGNALED(status))
		tell("signal %d", WTERMSIG(status));
	else
		tell("exit %d", WEXITSTATUS(status));
}

static bool run_line(char *line)
{
	char *name = strsep(&line, "\t"), *seconds = strsep(&line, "\t");
	char *folder = strsep(&line, "\t");

	if (!line)
		return false;
	line[strcspn(line, "\n")] = 0;
	run(name, atof(seconds), folder, line);
	return true;
}

static bool run_list(void)
{
	char line[MAX_LINE];
	FILE *list = fopen("/list", "re");

	if (!list)
		return false;
	while (fgets(line, sizeof(line), list))
		if (!run_line(line))
			return false;
	fclose(list);
	return true;
}

/* What a kernel says when it finds a fault of its own. */
static void tell_complaints(void)
{
	static const char *const words[] = {
		"WARNING:", "BUG:", "Oops", "INFO: rcu", "stall", "lockup", "Internal error",
		"Unhandled fault", "general protection", "bad: scheduling",
	};
	static char log[1 << 18];
	char *save;
	int size = klogctl(LOG_READ_ALL, log, sizeof(log) - 1);

	log[size < 0 ? 0 : size] = 0;
	for (char *line = strtok_r(log, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (strstr(line, words[i])) {
				tell("kernel %s", line);
				break;
			}
}

static void set_up(void)
{
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mkdir("/tmp", 01777);
	mount("none", "/proc", "proc", 0, NULL);
	mount("none", "/sys", "sysfs", 0, NULL);
	mount("none", "/dev", "devtmpfs", 0, NULL);
	mount("none", "/tmp", "tmpfs", 0, NULL);
	/* From here on the kernel writes to the console only when it dies. */
	klogctl(LOG_CONSOLE_LEVEL, NULL, 1);
	setenv("PATH", "/bin", 1);
}

int main(int argc, char **argv)
{
	if (getpid() != 1 && argc == 3)
		run_words(argv[2]);
	set_up();
	if (run_list()) {
		tell_complaints();
		tell("end");
	}
	/* Machines that can't be switched off are restarted, which ends the emulator as well. */
	reboot(RB_POWER_OFF);
	reboot(RB_AUTOBOOT);
	return 0;
}
