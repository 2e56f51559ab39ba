/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refusals as words: enum weft_refusal of runtime/abi.h to a short name and a sentence.
 * docs/refusals.md says more.
 */
#ifndef WV_REFUSAL_H
#define WV_REFUSAL_H

const char *wv_refusal_name(unsigned int refusal);
const char *wv_refusal_reason(unsigned int refusal);

#endif /* WV_REFUSAL_H */
