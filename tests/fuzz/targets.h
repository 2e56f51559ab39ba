/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is fed with damaged input. */
#ifndef WEFT_FUZZ_TARGETS_H
#define WEFT_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target {
	const char *name;
	/*
	 * One input. False: it ended in a way that damaged input must not end in; @message says
	 * how.
	 */
	bool (*run)(const uint8_t *bytes, size_t n, const char **message_ret);
};

/* Ended by a name that is NULL. */
extern const struct target targets[];

/* Where the targets put their files, and a sound vmlinux for modules to stand beside. */
void targets_init(const char *folder, const char *vmlinux);
/* These files, not the folder. */
void targets_remove(void);

/* ---- among the targets ----------------------------------------------------------------------- */

extern const char *targets_vmlinux;
extern char targets_input[4096], targets_output[4096];

/* To targets_input. */
bool targets_write_input(const uint8_t *bytes, size_t n, const char **message_ret);

bool run_aspect(const uint8_t *bytes, size_t n, const char **message_ret);
bool run_records(const uint8_t *bytes, size_t n, const char **message_ret);

#endif /* WEFT_FUZZ_TARGETS_H */
