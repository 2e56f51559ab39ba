/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how many functions of an image are proven to be those of the objects. */
#ifndef WV_PROOF_REPORT_H
#define WV_PROOF_REPORT_H

#include <stdbool.h>

#include "index/proven-labels.h"

/* One line; before it, with @differences, one for each function that is not proven. */
void wv_proof_print(const struct wv_proof_result *proof, bool differences);

#endif /* WV_PROOF_REPORT_H */
