/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All subcommands of `weft`. */
#ifndef WV_COMMANDS_H
#define WV_COMMANDS_H

#include "cmds/cmd.h"

/* All commands, in the order in which help lists them; the last element is NULL. */
extern const struct wv_cmd *const wv_cmds[];

/* Returns the command @name; NULL if there is none. */
const struct wv_cmd *wv_cmd_find(const char *name);

/* Returns -WV_E_USAGE, with the message "no command 'NAME'" and with similar names. */
int wv_cmd_unknown(struct wv_error *error, const char *name);

#endif /* WV_COMMANDS_H */
