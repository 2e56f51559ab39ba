// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions by which advice reads memory without ever faulting; runtime/advice.h documents them for
 * authors. They may be called in any context, NMIs included.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/advice.h"

long weft_read(void *to, const void *from, unsigned long size)
{
	/* copy_from_kernel_nofault() returns -ERANGE for user addresses. */
	return copy_from_kernel_nofault(to, from, size) ? -EFAULT : 0;
}
EXPORT_SYMBOL_GPL(weft_read);

/* Reads up to one aligned word at a time, so that no page after the string's last is touched. */
long weft_read_string(char *to, unsigned long size, const void *from)
{
	unsigned long n = 0;
	char *end;

	while (n + 1 < size) {
		unsigned long address = (unsigned long)from + n;
		unsigned long part = min(sizeof(long) - address % sizeof(long), size - 1 - n);

		if (copy_from_kernel_nofault(&to[n], (const void *)address, part)) {
			to[n] = '\0';
			return -EFAULT;
		}
		end = memchr(&to[n], 0, part);
		if (end) {
			/*
			 * Clear the bytes that were read past the NUL: keys of metrics are compared
			 * by whole words.
			 */
			memset(end, 0, &to[n + part] - end);
			return 0;
		}
		n += part;
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

/* Reads what is left of a page at a time, so that no page after the string's last is touched. */
static bool read_user_string(char *to, unsigned long size, const void __user *from)
{
	unsigned long n = 0;

	while (n + 1 < size) {
		const unsigned long address = (unsigned long)from + n;
		const unsigned long part = min(PAGE_SIZE - offset_in_page(address), size - 1 - n);

		if (copy_from_user_nofault(&to[n], (const void __user *)address, part))
			return false;
		if (memchr(&to[n], 0, part))
			return true;
		n += part;
	}
	to[n] = '\0';
	return true;
}

const char *weft_read_user_string(char *to, unsigned long size, const void __user *from)
{
	if (size && !read_user_string(to, size, from))
		strscpy(to, "(not in memory)", size);
	return to;
}
EXPORT_SYMBOL_GPL(weft_read_user_string);
