// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks per-CPU sections; see per-cpu.h. */
#include <string.h>

#include "image/image.h"
#include "module/per-cpu.h"

int wv_per_cpu_check(const char *path, const char *aspect, struct wv_error *error)
{
	static const char known[] = ".data..percpu";
	_cleanup_image_ struct wv_image *image = NULL;
	int err = wv_image_open(path, &image, error);

	if (err)
		return err;
	wv_vec_for_each(section, wv_image_sections(image))
		if (section->name && !strncmp(section->name, known, strlen(known)) &&
		    strcmp(section->name, known) && section->size)
			return wv_fail(error, WV_E_ASPECT,
				       "%s: a variable is in the section %s, of which a module's "
				       "loader gives no CPU its own copy: use DEFINE_PER_CPU()",
				       aspect, section->name);
	return 0;
}
