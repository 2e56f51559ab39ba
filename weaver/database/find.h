/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions to which the table in pointcut-kinds.c points. find-KIND.c defines wv_find_KIND(),
 * which is .find of struct wv_pointcut_kind. wv_explain_*() explain why nothing was found.
 */
#ifndef WV_FIND_H
#define WV_FIND_H

#include "database/pointcut-kind.h"

int wv_find_accesses(const struct wv_question *question);
int wv_explain_member(const struct wv_question *question);
int wv_explain_file(const struct wv_question *question);

int wv_find_entries(const struct wv_question *question);
int wv_explain_entry(const struct wv_question *question);

int wv_find_tracepoints(const struct wv_question *question);
int wv_explain_tracepoint(const struct wv_question *question);

int wv_find_lines(const struct wv_question *question);
int wv_explain_line(const struct wv_question *question);

int wv_find_instruction(const struct wv_question *question);
int wv_explain_instruction(const struct wv_question *question);

/*
 * The parts of a function. wv_find_callers() reads the database's table of calls; the others decode
 * the function's instructions (control-flow.h).
 */
int wv_find_exits(const struct wv_question *question);
int wv_find_blocks(const struct wv_question *question);
int wv_find_calls(const struct wv_question *question);
int wv_find_callers(const struct wv_question *question);
int wv_explain_part(const struct wv_question *question);

#endif /* WV_FIND_H */
