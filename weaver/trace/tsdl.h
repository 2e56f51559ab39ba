/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording's metadata, in the language of the Common Trace Format 1.8 (TSDL). The records lie in
 * their streams as they were in the ring, and the metadata describe that: an event's header and
 * context are struct weft_raw_record, each weft_log() is a class of events, and the joinpoints are
 * the labels of an enumeration.
 */
#ifndef WV_TRACE_TSDL_H
#define WV_TRACE_TSDL_H

#include "base/str.h"
#include "trace/table.h"

/* The metadata without classes of events. */
void wv_tsdl_begin(const struct wv_trace_about *about, const struct wv_aspect_module *module,
		   struct wv_str *out);

/* The classes of events of a statement: with its arguments, and with its text. */
void wv_tsdl_statement(const struct wv_trace_about *about,
		       const struct wv_trace_statement *statement, struct wv_str *out);

/*
 * The name of argument @index as a name of TSDL: without leading underscore, which every name there
 * gets, as readers expect; with its unit, if it has one.
 */
void wv_tsdl_field_name(const char *names, size_t index, struct wv_str *out);

#endif /* WV_TRACE_TSDL_H */
