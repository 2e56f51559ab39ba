// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes requests to /dev/weft-read, as a user could who wants to read records of others or to
 * disturb weft.ko. Usage: view-requests
 * quota NAME N		opens views until it is refused, which has to be after N
 * handed NAME		opens the device, and lets a child read
 * killed NAME		kills children that read, at any moment
 * churn NAME		begins to read, reads all that there is, and ends, again and again
 * hold NAME N FILE	opens N views, makes FILE, and reads nothing, until it is killed
 * again PID UID FILE ARGUMENT...
 *			runs FILE as a process with the pid PID, as the user UID
 * mutated NAME N SEED	makes N requests with random changes; prints results
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/abi.h"

enum { SIZE = 64 << 10, CHILDREN = 40, FILES = 300 };

static unsigned char *buffer;
static unsigned long long random_state;

static int open_door(void)
{
	int file = open(WEFT_READ_DEVICE, O_RDWR | O_CLOEXEC);

	if (file < 0)
		err(2, WEFT_READ_DEVICE);
	return file;
}

static struct weft_view view_of(const char *name)
{
	struct weft_view view = { .abi = WEFT_ABI_VERSION };

	snprintf(view.name, sizeof(view.name), "%s", name);
	return view;
}

static int begin(int file, const char *name)
{
	struct weft_view view = view_of(name);

	return ioctl(file, WEFT_IOC_VIEW, &view);
}

static int read_once(int file)
{
	struct weft_view_read read = { .buffer = (unsigned long)buffer, .size = SIZE };

	return ioctl(file, WEFT_IOC_VIEW_READ, &read) ? -1 : (int)read.used;
}

static int try_quota(const char *name, int wanted)
{
	for (int n = 0; n < FILES; n++) {
		int file = open_door();

		if (!begin(file, name))
			continue;
		if (errno == EDQUOT && n == wanted)
			return 0;
		warn("after %d views", n);
		return 1;
	}
	warnx("no limit was found");
	return 1;
}

static int try_handed(const char *name)
{
	int file = open_door(), status;

	if (begin(file, name) || read_once(file) < 0)
		err(1, "the view");
	if (!begin(file, name) || errno != EBUSY)
		errx(1, "a file became a view twice");
	if (!fork())
		_exit(read_once(file) < 0);
	return wait(&status) < 0 || status;
}

static int try_killed(const char *name)
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child) {
			for (;;) {
				int file = open_door();

				begin(file, name);
				read_once(file);
				close(file);
			}
		}
		usleep(random() % 20000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	return 0;
}

static int churn(const char *name)
{
	for (;;) {
		int file = open_door();

		if (begin(file, name))
			err(1, "the view");
		while (read_once(file) > 0)
			;
		close(file);
	}
}

static int hold(const char *name, int n, const char *ready)
{
	while (n--)
		if (begin(open_door(), name))
			err(1, "%d views before the last one", n);
	close(creat(ready, 0600));
	for (;;)
		pause();
}

static int run_again(pid_t pid, uid_t uid, char **command)
{
	struct clone_args args = { .exit_signal = SIGCHLD,
				   .set_tid = (unsigned long)&pid,
				   .set_tid_size = 1 };
	long child = syscall(SYS_clone3, &args, sizeof(args));
	int status;

	if (child < 0)
		err(1, "pid %d", pid);
	if (!child) {
		if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
			_exit(1);
		execv(command[0], command);
		_exit(1);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

static unsigned long long random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static unsigned int below(unsigned int n)
{
	return (random_bits() >> 20) % n;
}

union argument {
	struct weft_view view;
	struct weft_view_read read;
	struct weft_joinpoint_text joinpoint;
	unsigned char bytes[1024];
};

static void change(unsigned char *bytes, unsigned int size)
{
	const unsigned long long odd[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, ~0ull,
					   0x7fffffffffff, 0xffff888000000000,
					   WEFT_VIEW_JOINPOINTS_MAX, (unsigned long)buffer + SIZE };
	unsigned long long value = odd[below(sizeof(odd) / sizeof(odd[0]))];
	unsigned int width = 1u << below(4), at = below(size / width) * width;

	if (below(2))
		memcpy(bytes + at, &value, width);
	else
		bytes[at] ^= 1u << below(8);
}

/*
 * Returns whether @error is one that runtime/abi-view.h documents, or one that the device may
 * return before it knows which request it is.
 */
static int is_known(int error)
{
	const int known[] = { 0,      EPROTO, ENOENT, EBUSY,   EDQUOT, EINVAL,
			      ERANGE, E2BIG,  ENOMEM, ENODATA, EFAULT, ENOTTY, EMSGSIZE };

	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (error == known[i])
			return 1;
	return 0;
}

static int has_anothers(unsigned int used)
{
	for (unsigned int at = 0; at < used;) {
		const struct weft_record *record = (const void *)(buffer + at);

		if (record->uid != getuid())
			return 1;
		at += record->size;
	}
	return 0;
}

static int try_mutated(const char *name, unsigned int n)
{
	unsigned int wrong = 0, anothers = 0, views = 0, got = 0;
	int file = open_door();

	for (unsigned int i = 0; i < n; i++) {
		const unsigned int commands[] = { WEFT_IOC_VIEW, WEFT_IOC_VIEW_READ,
						  WEFT_IOC_JOINPOINT };
		unsigned int kind = below(3), command = commands[kind];
		union argument argument;
		int error;

		if (!below(8)) {
			close(file);
			file = open_door();
		}
		memset(&argument, 0, sizeof(argument));
		if (kind == 0) {
			argument.view = view_of(name);
			argument.view.joinpoints = (unsigned long)buffer;
			argument.view.nr_joinpoints = below(2);
			memset(buffer, 0, 16);
		} else if (kind == 1) {
			argument.read.buffer = (unsigned long)buffer;
			argument.read.size = below(4) ? SIZE : below(SIZE);
		}
		for (unsigned int changes = below(3); changes; changes--)
			change(argument.bytes, _IOC_SIZE(command));
		if (!below(64))
			command ^= 1u << below(32);
		error = ioctl(file, command, &argument) ? errno : 0;
		wrong += !is_known(error);
		views += kind == 0 && !error;
		if (kind == 1 && !error && argument.read.buffer == (unsigned long)buffer) {
			got += argument.read.used;
			anothers += has_anothers(argument.read.used);
		}
	}
	close(file);
	printf("%s %u mutated requests end as they should%s\n", wrong ? "FAILED" : "ok    ", n,
	       wrong ? ": others did not" : "");
	printf("%s none shows another's record\n", anothers ? "FAILED" : "ok    ");
	printf("%s some of them read: %u views, %u bytes\n", views && got ? "ok    " : "FAILED",
	       views, got);
	printf("%d passed, %d failed, 0 skipped\n", !wrong + !anothers + (views && got),
	       !!wrong + !!anothers + !(views && got));
	return wrong || anothers || !views || !got;
}

int main(int argc, char **argv)
{
	buffer = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer == MAP_FAILED || munmap(buffer + SIZE, SIZE))
		err(2, "memory");
	if (argc == 4 && !strcmp(argv[1], "quota"))
		return try_quota(argv[2], atoi(argv[3]));
	if (argc == 3 && !strcmp(argv[1], "handed"))
		return try_handed(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "killed"))
		return try_killed(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "churn"))
		return churn(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "hold"))
		return hold(argv[2], atoi(argv[3]), argv[4]);
	if (argc >= 5 && !strcmp(argv[1], "again"))
		return run_again(atoi(argv[2]), atoi(argv[3]), argv + 4);
	if (argc == 5 && !strcmp(argv[1], "mutated")) {
		random_state = strtoull(argv[4], NULL, 0) * 2 + 1;
		return try_mutated(argv[2], atoi(argv[3]));
	}
	errx(2, "usage: view-requests quota NAME N | handed NAME | killed NAME | churn NAME | "
		"hold NAME N FILE | again PID UID FILE ARGUMENT... | mutated NAME N SEED");
}
