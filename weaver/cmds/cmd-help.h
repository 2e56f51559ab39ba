/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `weft help`: formats the rows of commands and options as text for a terminal. */
#ifndef WV_CMD_HELP_H
#define WV_CMD_HELP_H

#include "cmds/cmd.h"

void wv_help_all(struct wv_str *out);
void wv_help_of(const struct wv_cmd *cmd, struct wv_str *out);

#endif /* WV_CMD_HELP_H */
