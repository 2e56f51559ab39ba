/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how many functions of images are proven to be the functions of the objects. */
#ifndef WV_PROOF_REPORT_H
#define WV_PROOF_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "index/build.h"

/*
 * Prints one line for all images together. @differences: before it, one line for each function that
 * is not proven.
 */
void wv_proofs_print(const struct wv_index_image *images, size_t n, bool differences);

#endif /* WV_PROOF_REPORT_H */
