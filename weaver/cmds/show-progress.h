/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows how far a long piece of work is (base/progress.h), in one line on the terminal that is
 * taken away in the end. From the second second on; never where standard error is no terminal.
 */
#ifndef WV_SHOW_PROGRESS_H
#define WV_SHOW_PROGRESS_H

/*
 * "weft: WHAT NAME"; of a path the last component; @name may be NULL. A second beginning ends the
 * first.
 */
void wv_progress_begin(const char *what, const char *name);

/* Before anything else is printed. Nothing happens where nothing was begun. */
void wv_progress_end(void);

#endif /* WV_SHOW_PROGRESS_H */
