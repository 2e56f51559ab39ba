/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internal checks. Only debug builds run them, and the tests load a debug build. Other builds
 * compile them, but generate no code for them.
 */
#ifndef WK_SELF_CHECK_H
#define WK_SELF_CHECK_H

#include <linux/bug.h>

/* 1 in debug builds, 0 in others. */
#ifdef WK_DEBUG
#define WK_DEBUG_BUILD 1
#else
#define WK_DEBUG_BUILD 0
#endif

/*
 * @condition is true only by a bug in weft.ko: then a debug build warns, with a stack trace, and
 * continues.
 */
#define WK_BUG(condition, ...) ((void)(WK_DEBUG_BUILD && WARN(condition, "weft: " __VA_ARGS__)))

#endif /* WK_SELF_CHECK_H */
