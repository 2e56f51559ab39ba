// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the size of a buffer; see buffer-option.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/buffer-option.h"
#include "cmds/cmd.h"
#include "runtime/abi.h"

/* minimum size of a buffer in bytes */
enum { BUFFER_LEAST = 4096 };

int wv_buffer_of_option(const char *text, const char *command, uint64_t *ret,
			struct wv_error *error)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (*text < '0' || *text > '9' || errno || !unit || end[1] || *ret > WEFT_RING_SIZE_MAX)
		return wv_usage(error, command,
				"'%s' is not a size: write a number and a unit (K, M)", text);
	*ret <<= 10 * (unit - units + 1);
	if (*ret < BUFFER_LEAST || *ret > WEFT_RING_SIZE_MAX)
		return wv_usage(error, command, "a buffer has from 4K to 64M, not %s", text);
	return 0;
}
