/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a one-liner, a command line such as `weft count vfs_open --by comm`, into an aspect. The
 * result is the text of an aspect's file, so that users can read it, keep it and change it. Uses no
 * database.
 */
#ifndef WV_ONELINER_H
#define WV_ONELINER_H

#include "aspect/oneliner/asked.h"
#include "base/error.h"
#include "base/str.h"

/* Bytes for the name of an aspect's file. */
enum { WV_ONELINER_FILE = 64 };

struct wv_oneliner_made {
	struct wv_str xml;
	char file[WV_ONELINER_FILE]; /* name of the aspect with .xml */
	/*
	 * The function whose inlined instances are left out, although its name alone would pick
	 * them: they lack what the one-liner asks for. "" if none are left out.
	 */
	char inlined[128];
	const char *why; /* what the inlined instances lack */
};

/*
 * Turns the one-liner @asked into an aspect, @ret. Returns -WV_E_USAGE if a part of @asked is
 * wrong; @error says which part, and what is possible instead.
 */
int wv_oneliner_make(const struct wv_oneliner *asked, struct wv_oneliner_made *ret,
		     struct wv_error *error);
void wv_oneliner_made_deinit(struct wv_oneliner_made *made);

#endif /* WV_ONELINER_H */
