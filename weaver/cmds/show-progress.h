/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the progress of a long operation (base/progress.h) in one line on the terminal. The line
 * appears after one second and is removed at the end. Nothing is shown if standard error is not a
 * terminal.
 */
#ifndef WV_SHOW_PROGRESS_H
#define WV_SHOW_PROGRESS_H

/*
 * Begins an operation, which is shown as "weft: @what @name". If @name is a path, only its last
 * component is shown; if @name is NULL, no name. Ends the previous operation, if there is one.
 */
void wv_progress_begin(const char *what, const char *name);

/*
 * Ends the operation, if there is one, and removes its line. A command calls this before it prints
 * anything.
 */
void wv_progress_end(void);

#endif /* WV_SHOW_PROGRESS_H */
