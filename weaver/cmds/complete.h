/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shell completion (TAB); called by weaver/completion.bash. */
#ifndef WV_COMPLETE_H
#define WV_COMPLETE_H

#include "base/error.h"
#include "base/str.h"

/*
 * Completes the last of the @n @words, which are the words after `weft`. Appends the answer to
 * @out; complete.c describes its lines.
 */
int wv_complete(int n, char **words, struct wv_str *out, struct wv_error *error);

#endif /* WV_COMPLETE_H */
