/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A location in a text file. Lines count from 1. Columns count bytes from 1, like GCC's
 * -fdiagnostics-column-unit=byte.
 */
#ifndef WV_TEXT_LOCATION_H
#define WV_TEXT_LOCATION_H

struct wv_text_location {
	unsigned int line, column;
};

#endif /* WV_TEXT_LOCATION_H */
