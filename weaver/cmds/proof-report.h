/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how many functions of images are proven to be those of the objects. */
#ifndef WV_PROOF_REPORT_H
#define WV_PROOF_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "index/build.h"

/*
 * One line for all images together; before it, with @differences, one for each function that is not
 * proven.
 */
void wv_proofs_print(const struct wv_index_image *images, size_t n, bool differences);

#endif /* WV_PROOF_REPORT_H */
