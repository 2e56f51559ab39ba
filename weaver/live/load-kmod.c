// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads weft.ko by running modprobe; see load-kmod.h. modprobe can read a compressed file, and uses
 * the module parameters that an administrator has set in /etc/modprobe.d.
 */
#include <sys/utsname.h>
#include <unistd.h>

#include "base/child.h"
#include "live/installed.h"
#include "live/load-kmod.h"

/*
 * The path of modprobe, the same as the kernel's own default. weft does not search for modprobe in
 * PATH, because the PATH of a shell that is no login shell may lack /sbin.
 */
#define MODPROBE "/sbin/modprobe"

static bool is_installed(void)
{
	struct wv_system system = { .root = "" };
	struct utsname name;

	if (uname(&name))
		return false;
	system.release = name.release;
	return wv_has_module(&system);
}

int wv_device_open_loading(struct wv_device *device, struct wv_error *error)
{
	char *argv[] = { MODPROBE, "weft", NULL };
	const struct wv_child child = { .argv = argv, .log = "/dev/null" };
	int ret = wv_device_open(device, error);
	bool ok;

	if (ret != -WV_E_NO_KMOD || !access("/sys/module/weft", F_OK) || !is_installed())
		return ret;
	ret = wv_child_succeeds(&child, &ok, error);
	if (ret)
		return ret;
	if (!ok)
		return wv_fail(error, WV_E_NO_KMOD,
			       "weft.ko is installed, and cannot be loaded: `modprobe weft` says "
			       "why, and `weft doctor` what to do");
	return wv_device_open(device, error);
}
