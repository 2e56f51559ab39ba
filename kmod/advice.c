// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What advice calls in weft.ko beside weft_log(): reading memory that may not be there. Any
 * context; a fault is a return value. (runtime/advice.h documents them for authors.)
 */
#include <linux/export.h>
#include <linux/uaccess.h>

#include "../runtime/advice.h"

long weft_read(void *to, const void *from, unsigned long size)
{
	/* What is no kernel address at all has an error of its own there. */
	return copy_from_kernel_nofault(to, from, size) ? -EFAULT : 0;
}
EXPORT_SYMBOL_GPL(weft_read);

long weft_read_string(char *to, unsigned long size, const void *from)
{
	unsigned long n;

	for (n = 0; n + 1 < size; n++) {
		if (copy_from_kernel_nofault(&to[n], from + n, 1)) {
			to[n] = '\0';
			return -EFAULT;
		}
		if (!to[n])
			return 0;
	}
	if (size)
		to[n] = '\0';
	return 0;
}
EXPORT_SYMBOL_GPL(weft_read_string);

long weft_read_user(void *to, const void __user *from, unsigned long size)
{
	return copy_from_user_nofault(to, from, size);
}
EXPORT_SYMBOL_GPL(weft_read_user);
