// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same targets for libFuzzer, for nights on a machine that has clang: `make fuzz-night TARGET=aspect`. It has better ideas of what to
 * damage next than fuzz.c, which needs nothing but GCC and gives the same inputs each time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const struct target *target = targets;

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	if (value)
		return value;
	fprintf(stderr, "%s is not in the environment\n", name);
	exit(2);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = from_environment("WEFT_FUZZ_TARGET");

	while (target->name && strcmp(target->name, name))
		target++;
	if (!target->name) {
		fprintf(stderr, "no target %s\n", name);
		exit(2);
	}
	targets_init(from_environment("WEFT_FUZZ_FOLDER"), from_environment("WEFT_FUZZ_VMLINUX"));
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *message = "";

	if (n && !target->run(bytes, n, &message)) {
		fprintf(stderr, "%s: %s\n", target->name, message);
		abort();
	}
	return 0;
}
