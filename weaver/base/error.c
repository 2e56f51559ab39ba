// SPDX-License-Identifier: GPL-2.0-or-later
/* Fills and formats errors; see error.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/notation.h"
#include "base/str.h"

/* The meanings of exit codes: a short form of the table in docs/exit-codes.md. */
static const char *const meanings[] = {
	[WV_OK] = "ok",
	[WV_E_FAILURE] = "failure: a system call failed in a way that has no code of its own; weft "
			 "doctor found something missing",
	[WV_E_USAGE] = "usage: the command line",
	[WV_E_ASPECT] = "aspect: the aspect file (XML, names, variables, pointcuts)",
	[WV_E_ADVICE] = "advice: an advice body does not compile",
	[WV_E_NO_MATCH] = "no match: a pointcut or an aspect matches nothing, or names what the "
			  "database does not know",
	[WV_E_FORMAT] = "format: a file is truncated, corrupt or of another kind",
	[WV_E_MISMATCH] = "mismatch: database, module or kernel do not belong together",
	[WV_E_PRIVILEGE] = "privilege: root (CAP_SYS_ADMIN), and no lockdown, is needed",
	[WV_E_NO_KMOD] = "no kmod: weft.ko is not loaded, or speaks another protocol",
	[WV_E_STATE] =
		"state: woven already, not woven, still retiring, or a module that is in use",
	[WV_E_REFUSED] = "refused: the kernel side refused the plan or every shadow of it; nothing "
			 "was changed",
	[WV_E_STALE] =
		"stale: live text changed between the plan and the weave; nothing was changed",
	[WV_E_NO_MEMORY] = "no memory",
	[WV_E_DIFFERENT] = "different: weft diff found joinpoints that moved, appeared or vanished",
	[WV_E_TOO_MANY] = "too many: there are more shadows than --at-most allows",
};

const char *wv_code_meaning(int code)
{
	return code < (int)(sizeof(meanings) / sizeof(meanings[0])) ? meanings[code] : NULL;
}

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
	struct wv_phrase place = wv_source_text(error->file, error->line, error->column);

	if (error->file[0])
		snprintf(buffer, size, "%s: %s", place.text, error->message);
	else
		snprintf(buffer, size, "%s", error->message);
	return buffer;
}
