/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for programs that are tests: they print each result as the functions of cases/lib.sh
 * do, and count passes and failures for the last line.
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
