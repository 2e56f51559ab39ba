/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kbuild printed, in the author's terms: messages about the XML file with its path as the
 * author wrote it and the line that they speak of; symbols that the kernel does not export, at the
 * place that names them. Where a type or a header is missing, the headers of @kernel's folder are
 * looked through.
 */
#ifndef WV_DIAGNOSE_H
#define WV_DIAGNOSE_H

#include "aspect/language/aspect-model.h"
#include "base/str.h"

/*
 * Appends to @report the messages of @log that speak of the aspect. Where there are errors among
 * them, the return value is -WV_E_ADVICE and *@error tells their number; -WV_E_FAILURE where the
 * first error is kbuild's own, and *@error that one; else 0.
 */
int wv_diagnose(const struct wv_aspect *aspect, const char *kernel, const char *log,
		struct wv_str *report, struct wv_error *error);

#endif /* WV_DIAGNOSE_H */
