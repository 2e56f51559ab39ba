// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a kernel's banner; see banner.h. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "image/banner.h"

static int find_banner(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	uint64_t *address = context;

	if (!strcmp(symbol->name, "linux_banner"))
		*address = symbol->address;
	return 0;
}

int wv_image_banner(struct wv_image *image, char banner[WV_BANNER_MAX], struct wv_error *error)
{
	uint64_t address = 0;
	int ret = wv_image_each_symbol(image, find_banner, &address, error);

	*banner = '\0';
	if (ret || !address)
		return ret;
	wv_vec_for_each(section, wv_image_sections(image)) {
		uint64_t offset = address - section->address;

		if (!(section->flags & SHF_ALLOC) || offset >= section->size)
			continue;
		ret = wv_image_load(image, section, error);
		if (!ret && section->data)
			snprintf(banner, WV_BANNER_MAX, "%.*s",
				 (int)strnlen((const char *)section->data + offset,
					      section->size - offset),
				 (const char *)section->data + offset);
		banner[strcspn(banner, "\n")] = '\0';
		return ret;
	}
	return 0;
}

bool wv_banner_has(const char *banner, const char *version)
{
	size_t n = strlen(version);

	for (const char *at = strstr(banner, version); at; at = strstr(at + 1, version)) {
		bool begins = at == banner || !strchr("0123456789.", at[-1]);
		bool ends = !at[n] || !strchr("0123456789.", at[n]);

		if (begins && ends)
			return true;
	}
	return false;
}
