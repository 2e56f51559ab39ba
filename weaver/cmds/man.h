/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates man pages from the rows of commands and options. */
#ifndef WV_MAN_H
#define WV_MAN_H

#include "cmds/cmd.h"

/* Appends the man page of command @cmd; NULL: the page of `weft` itself. */
void wv_man(const struct wv_cmd *cmd, struct wv_str *out);

#endif /* WV_MAN_H */
