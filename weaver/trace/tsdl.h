/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metadata of a recording, in the language of the Common Trace Format 1.8 (TSDL). They describe
 * the records as the ring has them. An event's header and context are struct weft_raw_record, each
 * weft_log() statement is a class of events, and the joinpoints are the labels of an enumeration.
 */
#ifndef WV_TRACE_TSDL_H
#define WV_TRACE_TSDL_H

#include "base/str.h"
#include "trace/table.h"

/* Adds the metadata up to the classes of events. */
void wv_tsdl_begin(const struct wv_trace_about *about, const struct wv_aspect_module *module,
		   struct wv_str *out);

/*
 * Adds the classes of events for a weft_log() statement. The events of the first class have the
 * statement's arguments. If the statement's content is WEFT_CONTENT_PACKED, the events of a second
 * class have its text instead.
 */
void wv_tsdl_statement(const struct wv_trace_about *about,
		       const struct wv_trace_statement *statement, struct wv_str *out);

/*
 * Adds the name that argument @index has in TSDL. It consists of the argument's C and its unit, in
 * which one underscore replaces each run of other characters than letters and digits. C without
 * letters and digits becomes "value1", "value2" and so on, by its position. The caller writes an
 * underscore before the name, which CTF readers remove.
 */
void wv_tsdl_field_name(const char *names, size_t index, struct wv_str *out);

#endif /* WV_TRACE_TSDL_H */
