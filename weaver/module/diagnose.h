/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates kbuild's output into the author's terms. Messages about the XML file get the path as
 * the author wrote it, and the line of the file that they are about. If the kernel does not export
 * a symbol, the error is reported where the aspect names the symbol. If a type or a header is
 * missing, the headers of the kernel's build folder @kernel are searched for it.
 */
#ifndef WV_DIAGNOSE_H
#define WV_DIAGNOSE_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/*
 * Appends the messages of @log that are about the aspect to @report. Returns 0 if @log has no
 * errors. Else returns:
 * -WV_E_ADVICE: errors are about the aspect; @error has their number.
 * -WV_E_FAILURE: all errors are of another kind; @error is the first of them.
 */
int wv_diagnose(const struct wv_aspect *aspect, const char *kernel, const char *log,
		struct wv_str *report, struct wv_error *error);

#endif /* WV_DIAGNOSE_H */
