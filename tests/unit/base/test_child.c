// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests what a signal does to weft's child, and to nobody else. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka-all.h"

#include "base/child.h"

static unsigned int signalled, missed;

/* In place of libc's: counts the signals, and those for which there was no process any more. */
int kill(pid_t pid, int signal)
{
	const int ret = (int)syscall(SYS_kill, pid, signal);

	signalled++;
	missed += ret && errno == ESRCH;
	return ret;
}

struct ticks {
	unsigned int n;
	bool at_end; /* send the signal when the child has ended, or at the first tick */
};

static void on_tick(void *context)
{
	struct ticks *ticks = context;
	const bool ended = waitid(P_ALL, 0, NULL, WEXITED | WNOHANG | WNOWAIT) < 0;

	ticks->n++;
	if (ticks->at_end ? ended : ticks->n == 1)
		raise(SIGTERM);
}

static int run(const char *command, struct ticks *ticks, struct wv_error *error)
{
	char *const argv[] = { "sh", "-c", (char *)command, NULL };
	const struct wv_child child = {
		.argv = argv, .log = "/dev/null", .tick = on_tick, .context = ticks,
	};
	int status;

	signalled = missed = 0;
	return wv_child_run(&child, &status, error);
}

/* A signal while the child runs ends it. */
static void test_running(void **state)
{
	struct ticks ticks = { 0 };
	struct wv_error error = { 0 };

	assert_int_equal(run("exec sleep 60", &ticks, &error), -WV_E_FAILURE);
	assert_string_equal(error.message, "interrupted");
	assert_int_equal(signalled, 1);
	assert_int_equal(missed, 0);
}

/* A signal after the child was reaped is noted, and sent to nobody: its number may be another's. */
static void test_reaped(void **state)
{
	struct ticks ticks = { .at_end = true };
	struct wv_error error = { 0 };

	assert_int_equal(run("exit 0", &ticks, &error), -WV_E_FAILURE);
	assert_string_equal(error.message, "interrupted");
	assert_int_equal(signalled, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_reaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
