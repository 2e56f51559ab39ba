// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one target on inputs that libFuzzer chooses by the code that they reach. The program's name
 * selects the target: fuzz-aspect is a link to this program. So all arguments are libFuzzer's, also
 * when libFuzzer starts the program again, and when it is run on one input.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
const char *__asan_default_options(void);

static const struct target *target = targets;
static char folder[4000];

/*
 * The sanitizers read these options when they start. Clang's package may lack a symbolizer; then
 * addr2line finds functions and lines.
 */
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1:malloc_context_size=8:quarantine_size_mb=8:allow_"
	       "addr2line=1";
}

static void remove_folder(void)
{
	targets_remove();
	rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = strstr((*argv)[0], "fuzz-"), *location = getenv("TMPDIR");

	for (const char *next = name; next; next = strstr(next + 1, "fuzz-"))
		name = next;
	while (name && target->name && strcmp(target->name, name + strlen("fuzz-")))
		target++;
	if (!name || !target->name) {
		fprintf(stderr, "%s: no target is called so\n", (*argv)[0]);
		exit(2);
	}
	snprintf(folder, sizeof(folder), "%s/fuzz-XXXXXX", location ? location : "/tmp");
	if (!mkdtemp(folder)) {
		perror(folder);
		exit(2);
	}
	targets_init(folder, FUZZ_VMLINUX);
	atexit(remove_folder);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *message = "";

	if (n && !target->run(bytes, n, &message)) {
		fprintf(stderr, "%s: damaged input ends in: %s\n", target->name, message);
		abort();
	}
	return 0;
}
