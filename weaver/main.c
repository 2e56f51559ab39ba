// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft`: finds the subcommand in the table, runs it, reports its error and exits with its code. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/commands.h"
#include "cmds/cmd-help.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "runtime/abi.h"

static int run(const struct wv_cmd *cmd, int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };

	if (!wv_options_want_help(cmd, argc, argv))
		return cmd->run(argc, argv, error);
	wv_help_of(cmd, &out);
	return wv_print(&out, error);
}

/*
 * Handles SIGBUS. weft maps some of the files that it reads, such as images and recordings. The
 * signal means that such a file was truncated while weft read it, or that its disk has failed. weft
 * cannot go on after that, and ends. weft.ko then unweaves the aspects that are bound to this
 * process.
 */
static void lost_file(int number)
{
	static const char message[] =
		"weft: a file was truncated while it was read, or its disk failed\n";
	ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void)number;
	(void)written;
	_exit(WV_E_FORMAT);
}

/*
 * If weft was started with a standard stream closed, takes the stream's number. Otherwise a file
 * that weft opens could get this number, and messages would be written to the file. As before,
 * standard input cannot be read, and standard output cannot be written, which is an error where
 * weft has something for it. What goes to standard error is lost: who has closed it wants none of
 * that. A command that weft runs finds the streams closed.
 */
static void reserve_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null",
				    (fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
}

static int show_version(void)
{
	printf("weft %s, for a weft.ko with interface %d\n", WEFT_RELEASE, WEFT_ABI_VERSION);
	return fflush(stdout) ? WV_E_FAILURE : 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = lost_file };
	struct wv_error error = { 0 };
	const struct wv_cmd *cmd;
	char text[1200];
	int ret;

	reserve_streams();
	sigaction(SIGBUS, &action, NULL);
	if (argc < 2) {
		_cleanup_str_ struct wv_str out = { 0 };

		wv_help_all(&out);
		fputs(out.failed ? "" : out.data, stderr);
		return WV_E_USAGE;
	}
	if (!strcmp(argv[1], "--version"))
		return show_version();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		argv[1] = "help";
	cmd = wv_cmd_find(argv[1]);
	ret = cmd ? run(cmd, argc - 1, argv + 1, &error) : wv_cmd_unknown(&error, argv[1]);
	wv_progress_end();
	if (ret >= 0)
		return ret;
	fprintf(stderr, "weft: %s\n", wv_error_text(&error, text, sizeof(text)));
	return -ret;
}
