/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Man pages of the rows of commands and options. */
#ifndef WV_MAN_H
#define WV_MAN_H

#include "cmds/cmd.h"

/* Of one command; @cmd is NULL for the program's own page. */
void wv_man(const struct wv_cmd *cmd, struct wv_str *out);

#endif /* WV_MAN_H */
