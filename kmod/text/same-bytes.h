/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are bytes the same? A weave compares the text of all functions that it touches, and each of its
 * displaced ranges several times. The kernel's memcmp(), which also finds out which bytes are
 * greater, takes two to four times as many instructions for that.
 */
#ifndef WK_SAME_BYTES_H
#define WK_SAME_BYTES_H

#include <linux/compiler.h>
#include <linux/types.h>

/* A word at any address. */
struct wk_any_word {
	u64 value;
} __packed;

struct wk_any_half {
	u32 value;
} __packed;

/* The bits in which the words at @left and @right differ. */
static __always_inline u64 wk_word_differs(const u8 *left, const u8 *right)
{
	return ((const struct wk_any_word *)left)->value ^
	       ((const struct wk_any_word *)right)->value;
}

static __always_inline u32 wk_half_differs(const u8 *left, const u8 *right)
{
	return ((const struct wk_any_half *)left)->value ^
	       ((const struct wk_any_half *)right)->value;
}

/* Are the @size bytes at @left and at @right the same? The last word may overlap the one before. */
static __always_inline bool wk_same_bytes(const void *left_, const void *right_, unsigned int size)
{
	const u8 *left = left_, *right = right_;
	unsigned int at = 0;

	if (size < sizeof(u32)) {
		for (; at < size; at++)
			if (left[at] != right[at])
				return false;
		return true;
	}
	if (size < sizeof(u64))
		return !(wk_half_differs(left, right) |
			 wk_half_differs(left + size - sizeof(u32), right + size - sizeof(u32)));
	for (; size - at >= 4 * sizeof(u64); at += 4 * sizeof(u64))
		if (wk_word_differs(left + at, right + at) |
		    wk_word_differs(left + at + 8, right + at + 8) |
		    wk_word_differs(left + at + 16, right + at + 16) |
		    wk_word_differs(left + at + 24, right + at + 24))
			return false;
	for (; size - at >= sizeof(u64); at += sizeof(u64))
		if (wk_word_differs(left + at, right + at))
			return false;
	return !wk_word_differs(left + size - sizeof(u64), right + size - sizeof(u64));
}

#endif /* WK_SAME_BYTES_H */
