/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of a compile: errors, notes and the compiler's diagnostics, in the order in which
 * they should be read. They are collected here, and commands print them.
 */
#ifndef WV_MESSAGES_H
#define WV_MESSAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum wv_message_kind {
	WV_MESSAGE_ERROR, /* an error besides the one that the compile returns in its @error */
	WV_MESSAGE_NOTE,  /* information for the author; not an error */
	WV_MESSAGE_LINES, /* the compiler's diagnostics of the author's C, to be shown unchanged */
	WV_MESSAGE_LOG,	  /* kbuild's whole output */
};

#define WV_MESSAGE_BIT(kind) (1u << (kind))
#define WV_MESSAGES_ALL (WV_MESSAGE_BIT(WV_MESSAGE_LOG + 1) - 1)

/*
 * One message. Its text has no newline at the end if it is an ERROR or NOTE. A NOTE may have
 * several lines, an ERROR has one.
 */
struct wv_message {
	enum wv_message_kind kind;
	char *text; /* begins with the location in the aspect's file, if there is one */
};

/* The messages of a compile. All zero: none. */
struct wv_messages {
	WV_VEC(struct wv_message) list;
	bool failed; /* out of memory: some messages are missing */
};

void wv_messages_add(struct wv_messages *messages, enum wv_message_kind kind, const char *format,
		     ...) __attribute__((format(printf, 3, 4)));
void wv_messages_add_error(struct wv_messages *messages, const struct wv_error *error);

/* Appends the messages whose kind is in @kinds (WV_MESSAGE_BIT()s), formatted for display. */
void wv_messages_text(const struct wv_messages *messages, unsigned int kinds, struct wv_str *out);

void wv_messages_deinit(struct wv_messages *messages);

#endif /* WV_MESSAGES_H */
