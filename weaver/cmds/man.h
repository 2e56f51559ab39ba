/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates man pages from the rows of commands and options. */
#ifndef WV_MAN_H
#define WV_MAN_H

#include "cmds/cmd.h"

/* The page of one command; @cmd NULL: the program's own page. */
void wv_man(const struct wv_cmd *cmd, struct wv_str *out);

#endif /* WV_MAN_H */
