/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors as data. Every fallible function of the weaver returns 0 or a negative enum wv_code, and
 * fills the struct wv_error of its caller. Only main.c and cmds/ print and exit. The codes'
 * absolute values are the exit codes of the `weft` program (documented in docs/exit-codes.md).
 */
#ifndef WV_ERROR_H
#define WV_ERROR_H

#include <stdarg.h>

enum wv_code {
	WV_OK = 0,
	WV_E_FAILURE = 1,   /* any failure, such as that of a system call, without its own code */
	WV_E_USAGE = 2,     /* wrong command line */
	WV_E_ASPECT = 3,    /* the aspect file: XML, names, pointcuts */
	WV_E_ADVICE = 4,    /* an advice body does not compile */
	WV_E_NO_MATCH = 5,  /* a pointcut or an aspect matches nothing */
	WV_E_FORMAT = 6,    /* a file is truncated, corrupt or of another kind */
	WV_E_MISMATCH = 7,  /* database, module and kernel do not belong together (build-ids) */
	WV_E_PRIVILEGE = 8, /* not root (CAP_SYS_ADMIN), or the kernel is locked down */
	WV_E_NO_KMOD = 9,   /* weft.ko is not loaded, or speaks another protocol */
	/*
	 * the state of the aspect or of a module does not allow the request: woven already, not
	 * woven, still retiring, in use, not loaded
	 */
	WV_E_STATE = 10,
	WV_E_REFUSED = 11,  /* weft.ko refused the plan; nothing was changed */
	WV_E_STALE = 12,    /* live bytes changed since the plan was made; nothing was changed */
	WV_E_NO_MEMORY = 13,
	/* not a failure: weft diff found that two kernels differ */
	WV_E_DIFFERENT = 14,
	WV_E_TOO_MANY = 15, /* more shadows than the caller's limit */
};

struct wv_error {
	enum wv_code code;
	unsigned int line, column; /* 0: not known */
	char file[256];		   /* source file, or "" */
	char message[768];	   /* one line, no newline at its end */
};

/* Fills @error and returns -@code, so that a function can end with `return wv_fail(...)`. */
int wv_fail(struct wv_error *error, enum wv_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Like wv_fail(), with a source location. @line and @column may be 0, @file may be NULL. */
int wv_fail_at(struct wv_error *error, enum wv_code code, const char *file, unsigned int line,
	       unsigned int column, const char *format, ...)
	__attribute__((format(printf, 6, 7), cold));

/*
 * Fills @error with "MESSAGE: strerror(@errnum)" and the code that fits @errnum: privilege, memory
 * or failure.
 */
int wv_fail_errno(struct wv_error *error, int errnum, const char *format, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Fills @error for out of memory; returns -WV_E_NO_MEMORY. */
int wv_no_memory(struct wv_error *error) __attribute__((cold));

/*
 * Returns the meaning of the exit code @code, one line without a newline; NULL if there is no such
 * code.
 */
const char *wv_code_meaning(int code);

/*
 * Writes "file:line:column: message", as far as the location is known, to @buffer. Returns @buffer.
 */
const char *wv_error_text(const struct wv_error *error, char *buffer, unsigned long size);

#endif /* WV_ERROR_H */
