/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One-liners: a question on the command line (weft count vfs_open --by comm) as an aspect. What is
 * made is the text of an aspect, so that whatever a one-liner does, its author can read, keep and
 * change. Knows no database.
 */
#ifndef WV_ONELINER_H
#define WV_ONELINER_H

#include "aspect/oneliner/asked.h"
#include "base/error.h"
#include "base/str.h"

/* The room for an aspect's name and what its file would end with. */
enum { WV_ONELINER_FILE = 64 };

struct wv_oneliner_made {
	struct wv_str xml;
	char file[WV_ONELINER_FILE]; /* the aspect's name with .xml behind it */
	/*
	 * the function whose inlined instances are left out though its name alone picks them, since
	 * what is asked cannot be told there; else ""
	 */
	char inlined[128];
	const char *why; /* they are left out */
};

/* -WV_E_USAGE: what is wrong with the question, or what cannot be asked so and what can. */
int wv_oneliner_make(const struct wv_oneliner *asked, struct wv_oneliner_made *ret,
		     struct wv_error *error);
void wv_oneliner_made_deinit(struct wv_oneliner_made *made);

#endif /* WV_ONELINER_H */
