/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a shell offers when TAB is pressed; weaver/completion.bash asks for it. */
#ifndef WV_COMPLETE_H
#define WV_COMPLETE_H

#include "base/error.h"
#include "base/str.h"

/*
 * What can stand in the place of the last of @words, which are those behind `weft`; complete.c
 * says what the lines of @out are.
 */
int wv_complete(int n, char **words, struct wv_str *out, struct wv_error *error);

#endif /* WV_COMPLETE_H */
