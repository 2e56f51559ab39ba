/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point of a one-liner: a pointcut in the notation of the command line. This file parses it, and
 * writes it as an element of the aspect language.
 */
#ifndef WV_POINT_H
#define WV_POINT_H

#include "aspect/xml/xml-writer.h"
#include "base/error.h"
#include "database/pointcut.h"

struct wv_point {
	const char *text; /* the text that the user typed; belongs to the caller */
	struct wv_pointcut pointcut;
	bool kinds_given; /* true: the user gave .pointcut.kinds; false: they are the default */
};

/*
 * Parses "POINTCUT" or "POINTCUT KINDS". @kinds: the value of --kind, or NULL. @usual:
 * WV_KIND_BIT()s for a member without kinds.
 */
int wv_point_parse(const char *text, const char *kinds, uint32_t usual, struct wv_point *ret,
		   struct wv_error *error);
void wv_point_deinit(struct wv_point *point);

/*
 * Writes the element that picks the point's joinpoints; only those in @within, if it is not NULL.
 */
void wv_point_write(const struct wv_point *point, const char *within, struct wv_xml_writer *writer);

#endif /* WV_POINT_H */
