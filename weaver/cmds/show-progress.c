// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws the progress line; see show-progress.h. A second thread draws the line, so that it is
 * updated even while the main thread waits for the kernel or the compiler. This second thread
 * blocks all signals, so that only the main thread gets them.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "cmds/show-progress.h"

enum { FIRST_MS = 1000, NEXT_MS = 200, WIDTH_MAX = 240, WIDTH_USUAL = 80 };

static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool running, ending;
	char title[WIDTH_MAX];
	struct timespec since;
} line = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH_USUAL;
	return size.ws_col < WIDTH_MAX ? size.ws_col : WIDTH_MAX;
}

/*
 * Draws the line. Leaves the last column of the terminal empty, because some terminals begin a new
 * line after the last column.
 */
static void draw(void)
{
	struct wv_progress progress = wv_progress_now();
	char text[2 * WIDTH_MAX], how[64] = "";
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (progress.total)
		snprintf(how, sizeof(how), " %zu %%", progress.done * 100 / progress.total);
	else if (progress.done)
		snprintf(how, sizeof(how), " %zu", progress.done);
	snprintf(text, sizeof(text), "weft: %s%s%s%s, %ld s", line.title,
		 progress.stage ? ": " : "", progress.stage ? progress.stage : "", how,
		 (long)(now.tv_sec - line.since.tv_sec));
	fprintf(stderr, "\r%.*s\033[K", (int)width() - 1, text);
	fflush(stderr);
}

static void wait_until(struct timespec *time, long ms)
{
	time->tv_nsec += ms * 1000000;
	time->tv_sec += time->tv_nsec / 1000000000;
	time->tv_nsec %= 1000000000;
	while (!line.ending && !pthread_cond_timedwait(&line.wake, &line.lock, time))
		;
}

static void *show(void *context)
{
	struct timespec next = line.since;
	bool drawn = false;

	pthread_mutex_lock(&line.lock);
	wait_until(&next, FIRST_MS);
	while (!line.ending) {
		draw();
		drawn = true;
		wait_until(&next, NEXT_MS);
	}
	pthread_mutex_unlock(&line.lock);
	if (drawn)
		fprintf(stderr, "\r\033[K");
	return NULL;
}

static int start_thread(void)
{
	pthread_condattr_t attributes;
	sigset_t all, before;
	int failed;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&line.wake, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	failed = pthread_create(&line.thread, NULL, show, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

void wv_progress_begin(const char *what, const char *name)
{
	const char *slash = name ? strrchr(name, '/') : NULL;

	wv_progress_end();
	wv_progress_stage(NULL);
	if (!isatty(STDERR_FILENO))
		return;
	snprintf(line.title, sizeof(line.title), "%s%s%s", what, name ? " " : "",
		 slash ? slash + 1 : name ? name : "");
	clock_gettime(CLOCK_MONOTONIC, &line.since);
	line.ending = false;
	line.running = !start_thread();
}

void wv_progress_end(void)
{
	if (!line.running)
		return;
	pthread_mutex_lock(&line.lock);
	line.ending = true;
	pthread_cond_signal(&line.wake);
	pthread_mutex_unlock(&line.lock);
	pthread_join(line.thread, NULL);
	pthread_cond_destroy(&line.wake);
	line.running = false;
}
