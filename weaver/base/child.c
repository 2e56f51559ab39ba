// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs another program; see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/temporary.h"

/*
 * Limit of a child's address space in bytes. It protects the machine from a compiler that uses more
 * and more memory. Compiling a module takes about a tenth of a gigabyte.
 */
#define MEMORY_MAX (UINT64_C(8) << 30)
#define TICK_NS 200000000L

/* Signals that would end weft. */
static const int ending_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
#define NR_ENDING (sizeof(ending_signals) / sizeof(*ending_signals))

/* The child that pass_on() signals, which is not reaped yet; 0: there is none. */
static volatile pid_t running;
static volatile sig_atomic_t ended_by;
/* How often wv_signals_hold() was called without wv_signals_release(). */
static unsigned int held;
/* The signal mask before the first of these calls. */
static sigset_t mask_before_hold;

/*
 * A signal handler that ends the child. Whichever signal weft got, the child gets SIGTERM. SIGINT
 * would not end a make at once: make waits for its own children on SIGINT, because it assumes that
 * the terminal has sent SIGINT to all of them.
 */
static void pass_on(int signal)
{
	const pid_t child = running;

	ended_by = signal;
	if (child)
		kill(child, SIGTERM);
}

/*
 * Returns "NAME=VALUE" for the environment variable @name; VALUE is @otherwise if the variable is
 * not set. The caller frees it. NULL: out of memory.
 */
static char *setting(const char *name, const char *otherwise)
{
	const char *value = getenv(name);
	char *text;

	return asprintf(&text, "%s=%s", name, value ? value : otherwise) < 0 ? NULL : text;
}

enum { NR_SETTINGS = 4 };

/*
 * Returns whether @text, "NAME=VALUE" of weft's environment, is a variable whose value
 * make_environment() replaces by another one.
 */
static bool is_replaced(const char *text)
{
	return !strncmp(text, "LC_ALL=", 7) || !strncmp(text, "TMPDIR=", 7);
}

/*
 * Returns the environment of a child, a list that ends in NULL. It begins with NR_SETTINGS strings
 * that this function makes. If @whole is set, the variables of weft's own environment follow,
 * except those for which is_replaced() returns true. @temporary is the folder for the child's
 * temporary files. The caller frees the list and its first NR_SETTINGS entries. Returns NULL if out
 * of memory.
 */
static char **make_environment(const char *temporary, bool whole)
{
	size_t n = 0, all = 0;
	char **list;

	while (whole && environ[all])
		all++;
	list = calloc(NR_SETTINGS + all + 1, sizeof(*list));
	if (!list)
		return NULL;
	list[n++] = strdup("LC_ALL=C");
	list[n++] = setting("PATH", "/usr/bin:/bin");
	list[n++] = setting("HOME", "/");
	if (asprintf(&list[n++], "TMPDIR=%s", temporary) < 0)
		list[n - 1] = NULL;
	for (size_t i = 0; i < NR_SETTINGS; i++)
		if (!list[i])
			list[i] = strdup("");
	for (size_t i = 0; i < all; i++)
		if (!is_replaced(environ[i]))
			list[n++] = environ[i];
	return list;
}

static void free_environment(char **list)
{
	for (size_t i = 0; list && i < NR_SETTINGS; i++)
		free(list[i]);
	free(list);
}

/*
 * What the child of spawn() does before it becomes the program. Calls only functions that may be
 * called between vfork() and exec. Returns only after a failure, an errno value.
 */
static int become(const struct wv_child *child, char **environment, const sigset_t *mask,
		  pid_t parent)
{
	struct rlimit limit;
	int input = open("/dev/null", O_RDONLY);
	int output = open(child->log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 ||
	    dup2(output, 2) < 0)
		return errno;
	if (output > 2)
		close(output);
	if (input > 2)
		close(input);
	if (child->folder && chdir(child->folder))
		return errno;
	/*
	 * If weft is killed, its make must end too: it must not run beside the make of the next
	 * weft.
	 */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return EINTR;
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur > MEMORY_MAX) {
		limit.rlim_cur = MEMORY_MAX;
		setrlimit(RLIMIT_AS, &limit);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvpe(child->argv[0], child->argv, environment);
	return errno;
}

/*
 * Starts the child with signal mask @mask, and @temporary as the folder for its temporary files.
 * Returns 0, or an errno value. Uses vfork(), since fork() copies the process: while weft holds a
 * large aspect, the kernel may refuse the memory for a copy.
 */
static int spawn(const struct wv_child *child, const char *temporary, const sigset_t *mask,
		 pid_t *ret)
{
	char **environment = make_environment(temporary, child->environment);
	const pid_t parent = getpid();
	volatile int failed = 0; /* until exec, the child shares this variable */
	pid_t pid;

	if (!environment)
		return ENOMEM;
	pid = vfork();
	if (!pid) {
		failed = become(child, environment, mask, parent);
		_exit(127);
	}
	if (pid < 0)
		failed = errno;
	else if (failed)
		waitpid(pid, NULL, 0);
	free_environment(environment);
	*ret = pid;
	return failed;
}

/*
 * Waits until the child has ended, and reaps it. Once it is reaped, its number may be another
 * process's; so before that, pass_on() is told not to signal it any more.
 */
static void wait_for(const struct wv_child *child, int *status_ret)
{
	const struct timespec pause = { .tv_nsec = TICK_NS };
	const pid_t pid = running;
	siginfo_t ended;

	for (;;) {
		int failed;

		ended.si_pid = 0;
		failed = waitid(P_PID, pid, &ended,
				WEXITED | WNOWAIT | (child->tick ? WNOHANG : 0));
		if (failed ? errno != EINTR : ended.si_pid)
			break;
		if (!child->tick)
			continue;
		child->tick(child->context);
		nanosleep(&pause, NULL);
	}
	running = 0;
	while (waitpid(pid, status_ret, 0) < 0 && errno == EINTR)
		;
	if (child->tick)
		child->tick(child->context);
}

void wv_signals_hold(void)
{
	sigset_t ending;

	if (held++)
		return;
	sigemptyset(&ending);
	for (size_t i = 0; i < NR_ENDING; i++)
		sigaddset(&ending, ending_signals[i]);
	sigprocmask(SIG_BLOCK, &ending, &mask_before_hold);
}

void wv_signals_release(void)
{
	if (!--held)
		sigprocmask(SIG_SETMASK, &mask_before_hold, NULL);
}

const sigset_t *wv_signals_before_hold(void)
{
	return held ? &mask_before_hold : NULL;
}

int wv_child_run(const struct wv_child *child, int *status_ret, struct wv_error *error)
{
	struct sigaction pass = { .sa_handler = pass_on }, before[NR_ENDING];
	char temporary[PATH_MAX];
	sigset_t blocked;
	pid_t pid = -1;
	int failed = wv_temporary_folder(temporary, error);

	if (failed)
		return failed;
	/* Until the child runs, pass_on() has no process to signal. */
	wv_signals_hold();
	ended_by = 0;
	failed = spawn(child, temporary, &mask_before_hold, &pid);
	if (!failed) {
		running = pid;
		for (size_t i = 0; i < NR_ENDING; i++)
			sigaction(ending_signals[i], &pass, &before[i]);
		/* Now signals arrive, even if the caller holds them: pass_on() ends the child. */
		sigprocmask(SIG_SETMASK, &mask_before_hold, &blocked);
		wait_for(child, status_ret);
		sigprocmask(SIG_SETMASK, &blocked, NULL);
		for (size_t i = 0; i < NR_ENDING; i++)
			sigaction(ending_signals[i], &before[i], NULL);
	}
	wv_signals_release();
	if (failed)
		return wv_fail_errno(error, failed, "%s", child->argv[0]);
	if (ended_by)
		return wv_fail(error, WV_E_FAILURE, "interrupted%s%s", child->advice ? "; " : "",
			       child->advice ? child->advice : "");
	if (WIFSIGNALED(*status_ret))
		return wv_fail(error, WV_E_FAILURE, "%s was ended by signal %d", child->argv[0],
			       WTERMSIG(*status_ret));
	return 0;
}

bool wv_child_interrupted(void)
{
	return ended_by;
}

int wv_child_succeeds(const struct wv_child *child, bool *ok_ret, struct wv_error *error)
{
	int status, ret = wv_child_run(child, &status, error);

	*ok_ret = !ret && WIFEXITED(status) && !WEXITSTATUS(status);
	return ret;
}
