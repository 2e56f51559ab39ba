// SPDX-License-Identifier: GPL-2.0-or-later
/* Shows metrics, and updates them in place on the terminal; see live-view.h. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmds/cmd.h"
#include "cmds/live-view.h"
#include "report/sparkline.h"

#define SECOND 1000000000ull

/*
 * Control sequences that show the alternate screen without a cursor, and the normal screen again.
 */
static const char screen_on[] = "\033[?1049h\033[?25l", screen_off[] = "\033[?25h\033[?1049l";

static volatile sig_atomic_t resized;

static void on_resize(int signal)
{
	resized = 1;
}

void wv_live_view_begin(struct wv_live_view *view, size_t top)
{
	/*
	 * As SA_RESTART is not set, a change of the terminal's size ends the caller's wait, so that
	 * the tables are drawn again at once.
	 */
	const struct sigaction action = { .sa_handler = on_resize };

	memset(view, 0, sizeof(*view));
	view->terminal = isatty(STDOUT_FILENO);
	wv_samples_begin(&view->samples, wv_clock_ns(), SECOND);
	view->text = (struct wv_text_view){ .top = top, .samples = &view->samples,
					    .utf8 = wv_terminal_is_utf8() };
	if (view->terminal)
		sigaction(SIGWINCH, &action, NULL);
}

bool wv_live_view_is_due(const struct wv_live_view *view)
{
	return resized || wv_samples_are_due(&view->samples, wv_clock_ns());
}

int wv_live_view_add(struct wv_live_view *view, const struct wv_readings *readings,
		     struct wv_error *error)
{
	const bool first = !view->samples.metrics.n;
	int err = wv_samples_add(&view->samples, readings, wv_clock_ns(), error);

	/* Forget the hits from before the view began, which belong to no interval. */
	if (!err && first)
		wv_samples_restart(&view->samples, wv_clock_ns());
	return err;
}

/* Returns how many bytes of the line at @line fit into @columns columns of the terminal. */
static size_t cut(const char *line, size_t columns)
{
	size_t n = 0;

	for (; line[n] && line[n] != '\n'; n++) {
		/* Only the first byte of a UTF-8 character takes a column. */
		if ((line[n] & 0xc0) != 0x80 && !columns--)
			break;
	}
	return n;
}

/* Draws the tables over the old ones. The screen is not cleared first, because it would flicker. */
static void draw(const struct wv_live_view *view)
{
	const char *at = wv_str_text(&view->last);
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	fputs("\033[H", stdout);
	for (unsigned int row = 0; *at && row < size.ws_row; row++) {
		fprintf(stdout, "%s%.*s\033[K", row ? "\r\n" : "", (int)cut(at, size.ws_col), at);
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	fputs("\033[J", stdout);
	fflush(stdout);
}

int wv_live_view_show(struct wv_live_view *view, const struct wv_str *text, struct wv_error *error)
{
	resized = 0;
	if (!view->terminal)
		return wv_print(text, error);
	if (!view->shown)
		fputs(screen_on, stdout);
	view->shown = true;
	view->last.n = 0;
	wv_str_add(&view->last, wv_str_text(text));
	draw(view);
	return view->last.failed ? wv_no_memory(error) : 0;
}

void wv_live_view_end(struct wv_live_view *view, bool keep)
{
	if (view->shown) {
		fputs(screen_off, stdout);
		if (keep)
			fputs(wv_str_text(&view->last), stdout);
		fflush(stdout);
	}
	view->shown = false;
	wv_str_deinit(&view->last);
	wv_samples_deinit(&view->samples);
}
