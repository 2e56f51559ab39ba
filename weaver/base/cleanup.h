/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cleanup attributes: a variable that is declared with one of them (_cleanup_free_, ...) is
 * released when it goes out of scope. wv_take() passes ownership on and clears the variable.
 * Attributes for handles of other libraries are defined beside the code that opens the handles.
 */
#ifndef WV_CLEANUP_H
#define WV_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void wv_cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void wv_cleanup_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void wv_cleanup_fclose(FILE **stream)
{
	if (*stream)
		fclose(*stream);
}

#define _cleanup_(function) __attribute__((cleanup(function)))
#define _cleanup_free_ _cleanup_(wv_cleanup_free)
#define _cleanup_close_ _cleanup_(wv_cleanup_close)
#define _cleanup_fclose_ _cleanup_(wv_cleanup_fclose)

/*
 * Returns the value of the variable @pointer and sets the variable to NULL, so that its cleanup
 * releases nothing.
 */
#define wv_take(pointer)                        \
	({                                      \
		__auto_type wv_taken = (pointer); \
		(pointer) = NULL;               \
		wv_taken;                       \
	})

#endif /* WV_CLEANUP_H */
