// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes about recordings; see recording-notes.h. */
#include <stdio.h>

#include "base/notation.h"
#include "cmds/recording-notes.h"

void wv_note_cut_off(const struct wv_recording *recording)
{
	wv_vec_for_each(stream, &recording->streams)
		if (wv_recording_cut_off(stream))
			fprintf(stderr,
				"weft: note: %s/%s: its writer was stopped: the last %s are no "
				"whole packet (truncate -s %zu makes it one for other tools)\n",
				recording->path, stream->name,
				wv_count_text(wv_recording_cut_off(stream), "byte").text,
				stream->whole);
}
