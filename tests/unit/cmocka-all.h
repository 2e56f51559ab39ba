/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Includes cmocka.h and the headers that it needs before it. */
#ifndef WEFT_TESTS_CMOCKA_ALL_H
#define WEFT_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* Fails, and prints both texts, unless @text contains @part. */
#define assert_contains(text, part)                                                   \
	do {                                                                          \
		if (!strstr((text), (part)))                                          \
			fail_msg("'%s' does not contain '%s'", (text), (part));       \
	} while (0)

#endif /* WEFT_TESTS_CMOCKA_ALL_H */
