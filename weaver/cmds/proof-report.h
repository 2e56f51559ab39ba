/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints how many functions of the objects are proven to be identical to those of shipped images.
 */
#ifndef WV_PROOF_REPORT_H
#define WV_PROOF_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "index/build.h"

/*
 * Prints one line for all images together. If @differences is true, first prints a line for each
 * function that was not proven.
 */
void wv_proofs_print(const struct wv_index_image *images, size_t n, bool differences);

#endif /* WV_PROOF_REPORT_H */
