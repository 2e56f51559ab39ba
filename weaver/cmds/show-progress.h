/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the progress of a long operation (base/progress.h) in one line on the terminal, which is
 * removed at the end. The line appears after one second; nothing is shown if standard error is not
 * a terminal.
 */
#ifndef WV_SHOW_PROGRESS_H
#define WV_SHOW_PROGRESS_H

/*
 * Shows "weft: WHAT NAME"; of a path only the last component. @name may be NULL. A second call ends
 * the first operation.
 */
void wv_progress_begin(const char *what, const char *name);

/* Call before anything else is printed. No effect if nothing was begun. */
void wv_progress_end(void);

#endif /* WV_SHOW_PROGRESS_H */
