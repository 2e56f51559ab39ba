// SPDX-License-Identifier: GPL-2.0-or-later
/* The error object; see error.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "str.h"

static int fill(struct wv_error *error, enum wv_code code, const char *file, unsigned int line,
		unsigned int column, const char *format, va_list args)
{
	error->code = code;
	error->line = line;
	error->column = column;
	snprintf(error->file, sizeof(error->file), "%s", file ? file : "");
	vsnprintf(error->message, sizeof(error->message), format, args);
	wv_one_line(error->message);
	return -(int)code;
}

int wv_fail(struct wv_error *error, enum wv_code code, const char *format, ...)
{
	va_list args;
	int ret;

	va_start(args, format);
	ret = fill(error, code, NULL, 0, 0, format, args);
	va_end(args);
	return ret;
}

int wv_fail_at(struct wv_error *error, enum wv_code code, const char *file, unsigned int line,
	       unsigned int column, const char *format, ...)
{
	va_list args;
	int ret;

	va_start(args, format);
	ret = fill(error, code, file, line, column, format, args);
	va_end(args);
	return ret;
}

static enum wv_code code_of_errno(int errnum)
{
	switch (errnum) {
	case EPERM:
	case EACCES:
		return WV_E_PRIVILEGE;
	case ENOMEM:
		return WV_E_NO_MEMORY;
	default:
		return WV_E_FAILURE;
	}
}

int wv_fail_errno(struct wv_error *error, int errnum, const char *format, ...)
{
	va_list args;
	size_t used;
	int ret;

	va_start(args, format);
	ret = fill(error, code_of_errno(errnum), NULL, 0, 0, format, args);
	va_end(args);
	used = strlen(error->message);
	snprintf(error->message + used, sizeof(error->message) - used, ": %s", strerror(errnum));
	return ret;
}

int wv_no_memory(struct wv_error *error)
{
	return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
}

const char *wv_error_text(const struct wv_error *error, char *buffer, unsigned long size)
{
	char place[320] = "";

	if (error->file[0] && error->line && error->column)
		snprintf(place, sizeof(place), "%s:%u:%u: ", error->file, error->line,
			 error->column);
	else if (error->file[0] && error->line)
		snprintf(place, sizeof(place), "%s:%u: ", error->file, error->line);
	else if (error->file[0])
		snprintf(place, sizeof(place), "%s: ", error->file);
	snprintf(buffer, size, "%s%s", place, error->message);
	return buffer;
}
