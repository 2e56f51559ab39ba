// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Weaves an aspect that is loaded and has joinpoints in programs only: makes the request for it,
 * and no request before. Prints the answer's errno, or 0. Usage: weave-bare NAME
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "runtime/abi.h"

int main(int argc, char **argv)
{
	int device = open(WEFT_DEVICE, O_RDWR);
	struct weft_status status = { 0 };
	struct weft_weave weave = { 0 };

	if (argc != 2)
		errx(2, "usage: weave-bare NAME");
	if (device < 0)
		err(2, "%s", WEFT_DEVICE);
	while (!ioctl(device, WEFT_IOC_LIST, &status) && strcmp(status.name, argv[1]))
		status.index++;
	snprintf(weave.name, sizeof(weave.name), "%s", argv[1]);
	weave.content = status.content;
	printf("%d\n", ioctl(device, WEFT_IOC_WEAVE, &weave) ? errno : 0);
	return 0;
}
