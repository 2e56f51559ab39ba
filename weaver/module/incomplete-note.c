// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a module's note; see incomplete-note.h. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "module/incomplete-note.h"
#include "runtime/module-note.h"

enum { LINE_MAX_BYTES = 1024 };

static size_t aligned(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void add_text(const char *text, size_t n, struct wv_str *out)
{
	while (n && *text) {
		char line[LINE_MAX_BYTES];
		size_t length = strcspn(text, "\n");

		memcpy(line, text, length < sizeof(line) ? length : sizeof(line) - 1);
		line[length < sizeof(line) ? length : sizeof(line) - 1] = '\0';
		wv_one_line(line);
		wv_str_addf(out, "%s\n", line);
		length += text[length] == '\n';
		text += length;
		n -= length;
	}
}

void wv_incomplete_note_read(const uint8_t *bytes, size_t n, struct wv_str *out)
{
	Elf64_Nhdr header;

	while (n >= sizeof(header)) {
		const char *name, *text;
		size_t name_size, size;

		memcpy(&header, bytes, sizeof(header));
		bytes += sizeof(header);
		n -= sizeof(header);
		name_size = aligned(header.n_namesz);
		size = aligned(header.n_descsz);
		if (name_size > n || size > n - name_size)
			return;
		name = (const char *)bytes;
		text = name + name_size;
		if (header.n_type == WEFT_NOTE_INCOMPLETE &&
		    header.n_namesz == sizeof(WEFT_NOTE_OWNER) &&
		    !memcmp(name, WEFT_NOTE_OWNER, sizeof(WEFT_NOTE_OWNER)) && header.n_descsz &&
		    !text[header.n_descsz - 1])
			add_text(text, header.n_descsz - 1, out);
		bytes += name_size + size;
		n -= name_size + size;
	}
}

void wv_incomplete_lines(const struct wv_str *text, void (*each)(void *context, const char *line),
			 void *context)
{
	const char *at = wv_str_text(text);

	while (*at) {
		char line[LINE_MAX_BYTES];
		size_t n = strcspn(at, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)n, at);
		each(context, line);
		at += n + (at[n] == '\n');
	}
}
