/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that read a recording say about it. */
#ifndef WV_RECORDING_NOTES_H
#define WV_RECORDING_NOTES_H

#include "trace/recording.h"

/*
 * Prints a note for each stream of @recording that ends with a part of a packet. The caller has
 * read all records.
 */
void wv_note_cut_off(const struct wv_recording *recording);

#endif /* WV_RECORDING_NOTES_H */
