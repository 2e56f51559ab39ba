/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of a weave as text: matched = call + jump + trap + refused, by reason, with the shadows
 * that were refused.
 */
#ifndef WEFT_REPORT_LEDGER_H
#define WEFT_REPORT_LEDGER_H

#include <stdio.h>

#include "aspect/module.h"
#include "live/weave.h"

void wv_ledger_print(FILE *out, const struct wv_aspect_module *module,
		     const struct wv_ledger *ledger);

/* "symbol+0x12 (file:line:column)" of @joinpoint; @text holds @size bytes. */
const char *wv_joinpoint_place(const struct wv_aspect_module *module,
			       const struct weft_joinpoint *joinpoint, char *text, size_t size);

#endif /* WEFT_REPORT_LEDGER_H */
