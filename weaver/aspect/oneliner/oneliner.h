/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an aspect of a one-liner, which is a question on the command line (weft count vfs_open --by
 * comm). The result is the text of an aspect, so that users can read, keep and change whatever a
 * one-liner does. Knows no database.
 */
#ifndef WV_ONELINER_H
#define WV_ONELINER_H

#include "aspect/oneliner/asked.h"
#include "base/error.h"
#include "base/str.h"

/* Room for an aspect's name and the end of its file's name. */
enum { WV_ONELINER_FILE = 64 };

struct wv_oneliner_made {
	struct wv_str xml;
	char file[WV_ONELINER_FILE]; /* the aspect's name, followed by .xml */
	/*
	 * The function whose inlined instances are left out, although its name alone would pick
	 * them: the question cannot be answered at those. "" if none are left out.
	 */
	char inlined[128];
	const char *why; /* why the inlined instances are left out */
};

/*
 * Fills @ret. -WV_E_USAGE: the question is wrong; @error has what is wrong and what can be asked.
 */
int wv_oneliner_make(const struct wv_oneliner *asked, struct wv_oneliner_made *ret,
		     struct wv_error *error);
void wv_oneliner_made_deinit(struct wv_oneliner_made *made);

#endif /* WV_ONELINER_H */
