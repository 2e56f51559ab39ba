/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates kbuild's output into the author's terms. Messages about the XML file get the path as
 * the author wrote it and the line that they refer to. Symbols that the kernel does not export are
 * reported where the aspect names them. If a type or a header is missing, the headers of @kernel's
 * folder are searched for it.
 */
#ifndef WV_DIAGNOSE_H
#define WV_DIAGNOSE_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/*
 * Appends the messages of @log that concern the aspect to @report. Returns -WV_E_ADVICE, with the
 * number of errors in *@error, if there are errors among them; -WV_E_FAILURE, with that error in
 * *@error, if the first error is kbuild's own; otherwise 0.
 */
int wv_diagnose(const struct wv_aspect *aspect, const char *kernel, const char *log,
		struct wv_str *report, struct wv_error *error);

#endif /* WV_DIAGNOSE_H */
