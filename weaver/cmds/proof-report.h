/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints how many functions of shipped images are proven to be identical to those of the objects.
 */
#ifndef WV_PROOF_REPORT_H
#define WV_PROOF_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "index/build.h"

/*
 * Prints one line for all images together. If @differences, prints before that a line for each
 * function that is not proven.
 */
void wv_proofs_print(const struct wv_index_image *images, size_t n, bool differences);

#endif /* WV_PROOF_REPORT_H */
