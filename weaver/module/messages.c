// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects messages; see messages.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "module/messages.h"

void wv_messages_add(struct wv_messages *messages, enum wv_message_kind kind, const char *format,
		     ...)
{
	struct wv_message *message;
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	message = text ? wv_vec_push(&messages->list) : NULL;
	if (!message) {
		messages->failed = true;
		free(text);
		return;
	}
	*message = (struct wv_message){ kind, text };
}

void wv_messages_add_error(struct wv_messages *messages, const struct wv_error *error)
{
	char text[sizeof(error->file) + sizeof(error->message) + 64];

	wv_messages_add(messages, WV_MESSAGE_ERROR, "%s",
			wv_error_text(error, text, sizeof(text)));
}

void wv_messages_text(const struct wv_messages *messages, unsigned int kinds, struct wv_str *out)
{
	wv_vec_for_each(message, &messages->list) {
		bool one = message->kind == WV_MESSAGE_ERROR || message->kind == WV_MESSAGE_NOTE;

		if (!(kinds & WV_MESSAGE_BIT(message->kind)))
			continue;
		wv_str_add(out, one ? "weft: " : "");
		wv_str_add(out, message->text);
		wv_str_add(out, one ? "\n" : "");
	}
}

void wv_messages_deinit(struct wv_messages *messages)
{
	wv_vec_for_each(message, &messages->list)
		free(message->text);
	wv_vec_deinit(&messages->list);
}
