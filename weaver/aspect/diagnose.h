/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kbuild printed, in the author's terms: messages about the XML file with its path as the
 * author wrote it and the line that they speak of; symbols that the kernel does not export, at the
 * place that names them.
 */
#ifndef WEFT_ASPECT_DIAGNOSE_H
#define WEFT_ASPECT_DIAGNOSE_H

#include "aspect/aspect.h"
#include "base/str.h"

/*
 * Appends to @report the messages of @log that speak of the aspect. *@error is filled with the
 * first error: -WV_E_ADVICE where it has a place in the XML, -WV_E_FAILURE where it is kbuild's
 * own. Returns its code, 0 where there is no error.
 */
int wv_diagnose(const struct wv_aspect *aspect, const char *log, struct wv_str *report,
		struct wv_error *error);

#endif /* WEFT_ASPECT_DIAGNOSE_H */
