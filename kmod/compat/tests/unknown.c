// SPDX-License-Identifier: GPL-2.0-or-later
/* Must not compile: no kernel has the function that it calls. See README.md. */
#include <linux/module.h>

void unknown(void);

void unknown(void)
{
	weft_no_kernel_has_this();
}
