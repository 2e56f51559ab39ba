// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of system calls; see syscall-names.h. */
#include <stddef.h>

#include "trace/syscall-names.h"

/* syscall-table.h is made from <asm/unistd_64.h> when weft is built (weaver/build.mk). */
static const char *const names[] = {
#include <syscall-table.h>
};

const char *wv_syscall_name(uint64_t number)
{
	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
