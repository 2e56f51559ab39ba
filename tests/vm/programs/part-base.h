/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where the joinpoints of an aspect are in the running kernel, by requests to weft.ko. */
#ifndef WEFT_TEST_PART_BASE_H
#define WEFT_TEST_PART_BASE_H

#include <string.h>
#include <sys/ioctl.h>

#include "runtime/abi.h"

/*
 * Returns the live address of the part that @joinpoint of @aspect is in, or 0 if the part is not
 * loaded. Of each module the aspect may have only one part.
 */
static inline unsigned long long part_base(int device, const char *aspect,
					   const struct weft_joinpoint_text *joinpoint)
{
	enum { MOST = 16 };
	struct weft_part_status parts[MOST];
	struct weft_parts request = { .buffer = (unsigned long)parts, .size = MOST };

	strncpy(request.name, aspect, sizeof(request.name) - 1);
	if (ioctl(device, WEFT_IOC_PARTS, &request))
		return 0;
	for (unsigned int i = 0; i < request.size && i < MOST; i++)
		if (!strcmp(parts[i].module, joinpoint->module))
			return parts[i].base;
	return 0;
}

#endif /* WEFT_TEST_PART_BASE_H */
