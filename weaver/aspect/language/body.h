/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the author's C (code.h): finds the variables that it names, checks whether it can be put
 * into a function, and writes it with the lines and columns that it has in the XML.
 */
#ifndef WV_BODY_H
#define WV_BODY_H

#include "aspect/language/code.h"
#include "aspect/xml/errors.h"
#include "base/str.h"

/*
 * Checks the text of @code. Finds the variables that it names, and whether it calls functions. Text
 * that would close or swallow the surrounding function is reported here, because GCC would report
 * it in code that the author did not write.
 */
void wv_body_check(struct wv_aspect_code *code, struct wv_error_list *list);

/*
 * Returns whether @code has only blanks, comments and semicolons. Then no function is generated for
 * it.
 */
bool wv_body_is_empty(const struct wv_aspect_code *code);

/* Returns the number of the XML's line that wv_body_write() writes first. */
unsigned int wv_body_line(const struct wv_aspect_code *code);

/*
 * Writes @code as C, without blank lines at its beginning and end. Every token has the line and
 * column that it has in the XML, and is not changed, but for a dot in $field(...), which becomes
 * WV_PATH_DOT. If a token is longer in the XML (&lt;) than in C, blanks after it make up the
 * difference. Ends with a line break; writes nothing if @code is blank.
 */
void wv_body_write(const struct wv_aspect_code *code, struct wv_str *out);

#endif /* WV_BODY_H */
