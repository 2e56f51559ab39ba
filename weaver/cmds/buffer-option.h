/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --buffer of commands that record. */
#ifndef WV_BUFFER_OPTION_H
#define WV_BUFFER_OPTION_H

#include <stdint.h>

#include "base/error.h"

/*
 * Parses the size of a CPU's buffer in bytes: "512K", "4M", "1G". Returns -WV_E_USAGE for another
 * text; the message has the name @command.
 */
int wv_buffer_of_option(const char *text, const char *command, uint64_t *ret,
			struct wv_error *error);

#endif /* WV_BUFFER_OPTION_H */
