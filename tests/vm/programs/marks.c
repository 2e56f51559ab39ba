// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the aspect `door` write records, and changes its own rights, in the order that its
 * arguments say. Its name stays "marks" over exec, whatever file is run.
 * N		three records of the number N
 * many N COUNT	COUNT records, of the numbers N, N + 1...
 * drop		goes on as its caller, and keeps the right to be root again
 * forget	goes on as its caller for good
 * hide		lets nobody look into it (PR_SET_DUMPABLE)
 * show		lets others look into it again
 * ambient	keeps CAP_NET_RAW, which it has, over exec
 * namespace	enters a user namespace of its own
 * named TEXT	takes this name
 * wait FILE	waits until FILE exists
 * file FILE	reads FILE from now on, and not /dev/null
 * exec FILE	runs FILE with the arguments that follow
 */
#include <err.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST = 500000, LAST = 599999, TIMES = 3 };

static char buffer[LAST];
static int file;

static void mark(int number)
{
	if (pread(file, buffer, FIRST + number, 0) < 0)
		err(1, "a read");
}

static void mark_many(int first, int n)
{
	for (int i = 0; i < n; i++)
		mark(first + i);
}

static void must(int ret, const char *what)
{
	if (ret)
		err(1, "%s", what);
}

/*
 * Adds CAP_NET_RAW to the ambient capabilities. setpriv cannot do it here, because it needs
 * CAP_SETPCAP for that.
 */
static void keep_capability(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	must(syscall(SYS_capget, &header, data), "capget");
	data[0].inheritable |= 1u << CAP_NET_RAW;
	must(syscall(SYS_capset, &header, data), "capset");
	must(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_RAW, 0, 0), "ambient");
}

int main(int argc, char **argv)
{
	file = open("/dev/null", O_RDONLY);
	for (int i = 1; i < argc; i++) {
		const char *what = argv[i];

		if (!strcmp(what, "many") && i + 2 < argc) {
			mark_many(atoi(argv[i + 1]), atoi(argv[i + 2]));
			i += 2;
		} else if (!strcmp(what, "drop")) {
			must(seteuid(getuid()), what);
		} else if (!strcmp(what, "forget")) {
			must(setresuid(getuid(), getuid(), getuid()), what);
		} else if (!strcmp(what, "hide")) {
			must(prctl(PR_SET_DUMPABLE, 0), what);
		} else if (!strcmp(what, "show")) {
			must(prctl(PR_SET_DUMPABLE, 1), what);
		} else if (!strcmp(what, "ambient")) {
			keep_capability();
		} else if (!strcmp(what, "file") && i + 1 < argc) {
			file = open(argv[++i], O_RDONLY);
			must(file < 0, argv[i]);
		} else if (!strcmp(what, "namespace")) {
			must(unshare(CLONE_NEWUSER), what);
		} else if (!strcmp(what, "named") && i + 1 < argc) {
			must(prctl(PR_SET_NAME, argv[++i]), what);
		} else if (!strcmp(what, "wait") && i + 1 < argc) {
			for (i++; access(argv[i], F_OK);)
				usleep(10000);
		} else if (!strcmp(what, "exec") && i + 1 < argc) {
			execv(argv[i + 1], argv + i + 1);
			err(1, "%s", argv[i + 1]);
		} else {
			for (int n = 0; n < TIMES; n++)
				mark(atoi(what));
		}
	}
	return 0;
}
