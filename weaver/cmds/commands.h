/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All subcommands of `weft`. */
#ifndef WV_COMMANDS_H
#define WV_COMMANDS_H

#include "cmds/cmd.h"

/* Ends with NULL. */
extern const struct wv_cmd *const wv_cmds[];

/* NULL where there is none. */
const struct wv_cmd *wv_cmd_find(const char *name);

/* "no command 'NAME'", with the nearest ones. */
int wv_cmd_unknown(struct wv_error *error, const char *name);

#endif /* WV_COMMANDS_H */
