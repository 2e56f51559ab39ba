// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One target for libFuzzer, which chooses the inputs and sees how far they get. The program's own
 * name says which: fuzz-aspect is a link to it. So a run, the processes it may begin again as, and
 * one input alone all take libFuzzer's arguments and no others.
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
 * Read by the sanitizers when they start. What clang's package has no symbolizer for, addr2line
 * names as well.
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
