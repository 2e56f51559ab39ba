/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the fuzzing targets: functions that are run on damaged input. */
#ifndef WEFT_FUZZ_TARGETS_H
#define WEFT_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target {
	const char *name; /* The target's name on the command line. */
	/*
	 * Runs the target on one input of @n bytes. Returns false, and the reason in *@message_ret,
	 * if it ended in a way that damaged input must not cause.
	 */
	bool (*run)(const uint8_t *bytes, size_t n, const char **message_ret);
};

/* All targets; the last element's name is NULL. */
extern const struct target targets[];

/*
 * Sets the @folder for the files of targets, and the undamaged @vmlinux together with which damaged
 * modules are indexed.
 */
void targets_init(const char *folder, const char *vmlinux);
/* Removes the files of targets, but not their folder. */
void targets_remove(void);

/* ---- declarations for the files that define targets ------------------------------------------ */

extern const char *targets_vmlinux;
extern char targets_input[4096], targets_output[4096];

/* Writes the input to the file targets_input. */
bool targets_write_input(const uint8_t *bytes, size_t n, const char **message_ret);

bool run_aspect(const uint8_t *bytes, size_t n, const char **message_ret);
bool run_recording(const uint8_t *bytes, size_t n, const char **message_ret);
void recording_remove(void);
bool run_records(const uint8_t *bytes, size_t n, const char **message_ret);

#endif /* WEFT_FUZZ_TARGETS_H */
