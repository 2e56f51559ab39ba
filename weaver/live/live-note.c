// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the notes of a loaded module; see live-note.h. */
#include <stdio.h>

#include "base/cleanup.h"
#include "live/live-note.h"
#include "module/incomplete-note.h"
#include "runtime/abi.h"
#include "runtime/module-note.h"

enum { NOTES_MAX = 1 << 16 };

void wv_live_incomplete(const char *aspect, struct wv_str *out)
{
	char path[sizeof("/sys/module//notes/" WEFT_NOTE_SECTION) + WEFT_NAME_MAX];
	_cleanup_fclose_ FILE *file = NULL;
	_cleanup_free_ uint8_t *bytes = NULL;

	snprintf(path, sizeof(path), "/sys/module/%s/notes/" WEFT_NOTE_SECTION, aspect);
	file = fopen(path, "re");
	bytes = file ? malloc(NOTES_MAX) : NULL;
	if (bytes)
		wv_incomplete_note_read(bytes, fread(bytes, 1, NOTES_MAX, file), out);
}
