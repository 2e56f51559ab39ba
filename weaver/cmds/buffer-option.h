/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --buffer of commands that record. */
#ifndef WV_BUFFER_OPTION_H
#define WV_BUFFER_OPTION_H

#include <stdint.h>

#include "base/error.h"

/*
 * Parses the size of each CPU's buffer: a number with the unit K, M or G, such as "512K" or "4M".
 * The size is at least 4K and at most WEFT_RING_SIZE_MAX. Sets *@ret to the size in bytes. Returns
 * -WV_E_USAGE for any other text. @command is the command's name, for the message.
 */
int wv_buffer_of_option(const char *text, const char *command, uint64_t *ret,
			struct wv_error *error);

#endif /* WV_BUFFER_OPTION_H */
