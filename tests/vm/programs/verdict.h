/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a program that is a test by itself, as the cases' own are, and what its last line
 * counts.
 */
#ifndef WEFT_TEST_VERDICT_H
#define WEFT_TEST_VERDICT_H

#include <stdio.h>

static unsigned int passed, failed;

static inline void report(const char *what, int good, const char *found)
{
	printf("%s %s%s%s\n", good ? "ok    " : "FAILED", what, good ? "" : ": ",
	       good ? "" : found);
	if (good)
		passed++;
	else
		failed++;
}

#endif /* WEFT_TEST_VERDICT_H */
