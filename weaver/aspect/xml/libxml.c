// SPDX-License-Identifier: GPL-2.0-or-later
/* dlopen() of libxml2; see libxml.h. */
#include <dlfcn.h>
#include <stdbool.h>

#include "aspect/xml/libxml.h"

/* What -lxml2 would have noted: this number stands for the layout of the structs in the headers that we were compiled with. */
#define SONAME "libxml2.so.2"

int wv_libxml_load(const struct wv_libxml **ret, struct wv_error *error)
{
	static struct wv_libxml functions;
	static bool loaded;
	void *library;

	*ret = &functions;
	if (loaded)
		return 0;
	library = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		return wv_fail(error, WV_E_FAILURE, "aspects cannot be read without libxml2: %s", dlerror());
#define FIND(name)                                                                                   \
	functions.name = (__typeof__(functions.name))dlsym(library, #name);                          \
	if (!functions.name)                                                                         \
		return wv_fail(error, WV_E_FAILURE, "aspects cannot be read with this libxml2: %s", \
			       dlerror());
	WV_LIBXML_FUNCTIONS(FIND)
#undef FIND
	loaded = true;
	return 0;
}
