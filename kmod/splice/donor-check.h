/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a springboard may have its slot at an address: it may if free padding or a
 * donor (donor.h) is there. These functions only check, and change nothing. Process context, may
 * sleep; under wk_mutex.
 */
#ifndef WK_DONOR_CHECK_H
#define WK_DONOR_CHECK_H

#include <linux/types.h>

struct wk_displaced;

/*
 * May a springboard use the padding at @slot (live address) as its slot? False if anything else
 * owns those bytes. @c_size: see wk_is_single_entry().
 */
bool wk_donor_fits_padding(unsigned long slot, u32 c_size);

/*
 * May the springboard at @springboard have its slot at @slot (live addresses), in a donor in the
 * same function? If true, @ret is filled with the donor's displaced instructions. @c_size: see
 * wk_is_single_entry().
 */
bool wk_donor_find(unsigned long springboard, unsigned long slot, u32 c_size,
		   struct wk_displaced *ret);

#endif /* WK_DONOR_CHECK_H */
