// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies the structs of requests; see request.h. */
#include <linux/ioctl.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "request.h"

long wk_request(unsigned int command, unsigned long user, void *argument, size_t room,
		wk_request_run run, void *context)
{
	const unsigned int size = _IOC_SIZE(command);
	long ret;

	memset(argument, 0, room);
	if (_IOC_DIR(command) & _IOC_WRITE && copy_from_user(argument, (void __user *)user, size))
		return -EFAULT;
	ret = run(context, command, argument);
	if (_IOC_DIR(command) & _IOC_READ && copy_to_user((void __user *)user, argument, size) &&
	    !ret)
		ret = -EFAULT;
	return ret;
}
