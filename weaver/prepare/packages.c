// SPDX-License-Identifier: GPL-2.0-or-later
/* Debian's packages; see packages.h. */
#include <stdio.h>
#include <string.h>

#include "prepare/packages.h"
#include "prepare/programs.h"

int wv_package_installed(struct wv_prepare *prepare, const char *package, struct wv_str *ret,
			 struct wv_error *error)
{
	static const char installed[] = "ii ";
	_cleanup_str_ struct wv_str text = { 0 };
	char *argv[] = { "dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}\n",
			 (char *)package, NULL };
	bool ok;
	int failed = wv_program_text(prepare, argv, &text, &ok, error);
	wv_str_deinit(ret);
	if (ok && !strncmp(wv_str_text(&text), installed, sizeof(installed) - 1)) {
		const char *version = text.data + sizeof(installed) - 1;

		version += strspn(version, " ");
		wv_str_add_n(ret, version, strcspn(version, "\n"));
	}
	return failed;
}

void wv_package_of_source(const struct wv_prepare *prepare, char package[80])
{
	unsigned int major, minor;

	*package = '\0';
	if (sscanf(wv_str_text(&prepare->version), "%u.%u.", &major, &minor) == 2)
		snprintf(package, 80, "linux-source-%u.%u", major, minor);
}
