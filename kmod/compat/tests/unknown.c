// SPDX-License-Identifier: GPL-2.0-or-later
/* Must not compile: no kernel has that function. See README.md. */
#include <linux/module.h>

void unknown(void);

void unknown(void)
{
	weft_no_kernel_has_this();
}
