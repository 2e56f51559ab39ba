/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The author's C (code.h): what it names, whether it can stand inside a function, and how it is
 * written so that columns agree.
 */
#ifndef WV_BODY_H
#define WV_BODY_H

#include "aspect/language/code.h"
#include "aspect/xml/errors.h"
#include "base/str.h"

/*
 * Checks @code's text and fills in what it names and whether it calls. Text that would end or
 * swallow the function around it is an error here, since GCC would report it in code that the
 * author did not write.
 */
void wv_body_check(struct wv_aspect_code *code, struct wv_error_list *list);

/* Nothing but blanks, comments and semicolons: then there is nothing to call. */
bool wv_body_is_empty(const struct wv_aspect_code *code);

/* The line of the XML in which the first line that wv_body_write() writes stands. */
unsigned int wv_body_line(const struct wv_aspect_code *code);

/*
 * @code as C without the blank lines around it, every token in the line and column of the XML:
 * verbatim, but where the XML is longer than the C (&lt;), the difference is made up with blanks
 * behind the token. Ends with a line break.
 */
void wv_body_write(const struct wv_aspect_code *code, struct wv_str *out);

#endif /* WV_BODY_H */
