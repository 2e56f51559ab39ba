/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a compile reports besides its result: errors, notes, the compiler's diagnoses, in the
 * order in which they are to be read. They are collected here and printed by the commands.
 */
#ifndef WV_MESSAGES_H
#define WV_MESSAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum wv_message_kind {
	WV_MESSAGE_ERROR, /* one of several; the last one is what the call fails with */
	WV_MESSAGE_NOTE,  /* what the author should know although nothing is wrong */
	WV_MESSAGE_LINES, /* to be shown as they are: what the compiler says of the author's C */
	WV_MESSAGE_LOG,	  /* all that kbuild printed */
};

#define WV_MESSAGE_BIT(kind) (1u << (kind))
#define WV_MESSAGES_ALL (WV_MESSAGE_BIT(WV_MESSAGE_LOG + 1) - 1)

/* ERROR, NOTE: one line (a note may have more) without a newline at its end. */
struct wv_message {
	enum wv_message_kind kind;
	char *text; /* begins with the place in the aspect's file, where there is one */
};

/* All zero is empty. */
struct wv_messages {
	WV_VEC(struct wv_message) list;
	bool failed; /* out of memory: some are missing */
};

void wv_messages_add(struct wv_messages *messages, enum wv_message_kind kind, const char *format,
		     ...) __attribute__((format(printf, 3, 4)));
void wv_messages_add_error(struct wv_messages *messages, const struct wv_error *error);

/* Appends those whose kind is in @kinds (WV_MESSAGE_BIT()s), as they are shown. */
void wv_messages_text(const struct wv_messages *messages, unsigned int kinds, struct wv_str *out);

void wv_messages_deinit(struct wv_messages *messages);

#endif /* WV_MESSAGES_H */
