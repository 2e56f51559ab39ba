/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place in a text file. Columns count bytes from 1, as GCC does with
 * -fdiagnostics-column-unit=byte.
 */
#ifndef WEFT_ASPECT_PLACE_H
#define WEFT_ASPECT_PLACE_H

struct wv_place {
	unsigned int line, column;
};

#endif /* WEFT_ASPECT_PLACE_H */
