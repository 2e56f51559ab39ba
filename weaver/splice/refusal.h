/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of refusals: a short name and a sentence for each enum weft_refusal of runtime/abi.h.
 * docs/refusals.md explains them.
 */
#ifndef WV_REFUSAL_H
#define WV_REFUSAL_H

const char *wv_refusal_name(unsigned int refusal);
const char *wv_refusal_reason(unsigned int refusal);

#endif /* WV_REFUSAL_H */
