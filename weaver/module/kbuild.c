// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs kbuild; see kbuild.h. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module/kbuild.h"
#include "module/per-cpu.h"
#include "module/preserved.h"
#include "base/child.h"
#include "base/cleanup.h"

/*
 * The Kbuild file, less the line that names the modules. The runtime headers and weft.ko's
 * Module.symvers are reached through symbolic links in the temporary folder, so that make never
 * sees a path with blanks. The author's C may mix declarations and statements. Warnings are shown
 * but are no errors, even with CONFIG_WERROR, except about formats.
 */
static const char kbuild_text[] =
	"ccflags-y := -I$(src)/runtime -Wno-declaration-after-statement -Wno-error -Werror=format\n"
	"# Advice that calls ftrace on every hit would measure ftrace.\n"
	"ccflags-remove-y := $(CC_FLAGS_FTRACE)\n"
	"# Advice is left in the middle after a fault; then these are as they were at the hit.\n"
	"ccflags-y += -ffixed-rbx -ffixed-r12 -ffixed-r13 -ffixed-r14 -ffixed-r15\n"
	"# All code of a module in .text, whose lines are looked up by their offset there.\n"
	"ccflags-y += -fno-reorder-functions -fno-reorder-blocks-and-partition\n"
	"# Messages are read by weft, which knows columns in bytes.\n"
	"ccflags-y += -fno-diagnostics-show-caret $(call "
	"cc-option,-fdiagnostics-column-unit=byte)\n"
	"# Advice runs where the kernel has these switched off; and a fault in advice is ended,\n"
	"# which one in their functions could not be.\n"
	"KASAN_SANITIZE := n\nKCSAN_SANITIZE := n\nKMSAN_SANITIZE := n\nUBSAN_SANITIZE := n\n"
	"KCOV_INSTRUMENT := n\nGCOV_PROFILE := n\n"
	"# Read by weft, too: who calls whom, and how large the frames are.\n"
	"ccflags-y += $(call cc-option,-fcallgraph-info=su)\n";

static int write_file(const char *folder, const char *name, const char *text,
		      struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = NULL;
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	stream = fopen(path, "we");
	if (!stream || fputs(text, stream) == EOF || fflush(stream))
		return wv_fail_errno(error, errno, "%s", path);
	return 0;
}

static int link_file(const char *target_folder, const char *target, const char *folder,
		     const char *name, struct wv_error *error)
{
	char from[PATH_MAX], path[PATH_MAX];

	if ((size_t)snprintf(from, sizeof(from), "%s%s", target_folder, target) >= sizeof(from) ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	unlink(path);
	return symlink(from, path) ? wv_fail_errno(error, errno, "%s", path) : 0;
}

int wv_kbuild_write(const struct wv_kbuild *build, const char *folder, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	int ret = 0;

	wv_str_add(&text, "# Made by weft: do not edit.\nobj-m :=");
	for (size_t i = 0; i < build->n && !ret; i++) {
		char name[80];

		snprintf(name, sizeof(name), "%s.c", build->modules[i].name);
		ret = write_file(folder, name, build->modules[i].source, error);
		wv_str_addf(&text, " %s.o", build->modules[i].name);
	}
	wv_str_addf(&text, "\n%s", kbuild_text);
	if (text.failed)
		return wv_no_memory(error);
	if (!ret)
		ret = write_file(folder, "Kbuild", text.data, error);
	if (!ret)
		ret = link_file(build->runtime, "", folder, "runtime", error);
	if (!ret)
		ret = link_file(build->kmod, "/Module.symvers", folder, "weft.symvers", error);
	return ret;
}

/* ---- the temporary folder -------------------------------------------------------------------- */

static int make_folder(char path[PATH_MAX], struct wv_error *error)
{
	_cleanup_free_ char *parent = realpath(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", NULL);

	if (!parent)
		return wv_fail_errno(error, errno, "the folder for temporary files");
	if ((size_t)snprintf(path, PATH_MAX, "%s/weft-XXXXXX", parent) >= PATH_MAX ||
	    !mkdtemp(path))
		return wv_fail_errno(error, errno, "a temporary folder in %s", parent);
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	return remove(path);
}

static void remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- make ------------------------------------------------------------------------------------ */

static int run_make(const struct wv_kbuild *build, const char *folder, const char *log,
		    int *status_ret, struct wv_error *error)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char module[PATH_MAX + 16], symvers[PATH_MAX + 64], jobs[32];
	/*
	 * KCFLAGS=-g1 also discards the flags that the kernel was built with in KCFLAGS, such as
	 * the plugin's, which are meant for vmlinux. -g1 makes the line tables from which
	 * late-tables.h finds the line of an instruction; they are removed after that. No BTF:
	 * nothing reads the BTF of an aspect.
	 */
	char *argv[] = { "make", "-s", jobs, "-C", (char *)build->kernel, module, symvers,
			 "KCFLAGS=-g1", "CONFIG_DEBUG_INFO_BTF_MODULES=", "PAHOLE_FLAGS=",
			 "modules", NULL };

	snprintf(jobs, sizeof(jobs), "-j%ld", build->n > 1 && cpus > 1 ? cpus : 1);
	snprintf(module, sizeof(module), "M=%s", folder);
	snprintf(symvers, sizeof(symvers), "KBUILD_EXTRA_SYMBOLS=%s/weft.symvers", folder);
	return wv_child_run(&(struct wv_child){ .argv = argv, .log = log }, status_ret, error);
}

/* Adds the content of @path, if there is such a file. */
static void read_text(const char *path, struct wv_str *log)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "re");
	char buffer[4096];
	size_t n;

	while (stream && (n = fread(buffer, 1, sizeof(buffer), stream)))
		wv_str_add_n(log, buffer, n);
}

/* ---- the result ------------------------------------------------------------------------------ */

static int copy_bytes(int from, int to)
{
	struct stat status;
	off_t offset = 0;

	if (fstat(from, &status))
		return -1;
	while (offset < status.st_size) {
		ssize_t n = sendfile(to, from, &offset, status.st_size - offset);

		if (n < 0)
			return -1;
		if (!n)
			break;
	}
	return fchmod(to, 0644) || fsync(to);
}

/*
 * Copies the module to a temporary file beside the output, then renames that: readers see the old
 * module or the new one, never a half. If the output is a symbolic link, the file that it leads to
 * is replaced.
 */
static int install(const char *folder, const struct wv_kbuild_module *module,
		   struct wv_error *error)
{
	_cleanup_free_ char *existing = realpath(module->output, NULL);
	const char *output = existing ? existing : module->output;
	_cleanup_close_ int from = -1, to = -1;
	char built[PATH_MAX + 80], temporary[PATH_MAX];

	snprintf(built, sizeof(built), "%s/%s.ko", folder, module->name);
	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", output) >=
	    sizeof(temporary))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", module->output);
	from = open(built, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return wv_fail_errno(error, errno, "%s", built);
	to = mkostemp(temporary, O_CLOEXEC);
	if (to < 0)
		return wv_fail_errno(error, errno, "%s", module->output);
	if (copy_bytes(from, to) || rename(temporary, output)) {
		int problem = errno;

		unlink(temporary);
		return wv_fail_errno(error, problem, "%s", module->output);
	}
	return 0;
}

/*
 * Removes the debug information: nothing reads it any more, and it is 20 times as large as the
 * rest.
 */
static int strip(char *path, const char *log, struct wv_error *error)
{
	char *argv[] = { "strip", "-g", path, NULL };
	bool ok;
	int ret = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log }, &ok, error);

	if (!ret && !ok)
		ret = wv_fail(error, WV_E_FAILURE, "strip -g %s failed", path);
	return ret;
}

/* Checks the module that was built, and turns it into the file that will be installed. */
static int complete(const struct wv_kbuild_module *module, const char *folder, const char *log,
		    struct wv_error *error)
{
	_cleanup_str_ struct wv_str calls = { 0 };
	char path[PATH_MAX + 80];
	const char *graph;
	int ret;

	snprintf(path, sizeof(path), "%s/%s.ci", folder, module->name);
	read_text(path, &calls);
	if (calls.failed)
		return wv_no_memory(error);
	graph = wv_str_text(&calls);
	snprintf(path, sizeof(path), "%s/%s.ko", folder, module->name);
	ret = wv_preserved_check(path, module->name, error);
	if (!ret)
		ret = wv_per_cpu_check(path, module->name, error);
	if (!ret && module->complete)
		ret = module->complete(module->context, path, graph, error);
	if (!ret)
		ret = strip(path, log, error);
	return ret || !module->check ? ret : module->check(module->context, graph, error);
}

/* The last step, since a signature covers the whole file. */
static int sign(const struct wv_signing *signing, const char *name, const char *folder,
		struct wv_error *error)
{
	_cleanup_str_ struct wv_str said = { 0 };
	char module[PATH_MAX + 80], log[PATH_MAX + 16];
	char *argv[] = { (char *)signing->tool, (char *)signing->hash, (char *)signing->key,
			 (char *)signing->certificate, module, NULL };
	bool ok;
	int ret;

	if (!signing->tool[0])
		return 0;
	snprintf(module, sizeof(module), "%s/%s.ko", folder, name);
	snprintf(log, sizeof(log), "%s/sign-log", folder);
	ret = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log }, &ok, error);
	if (ret || ok)
		return ret;
	read_text(log, &said);
	return wv_fail(error, WV_E_FAILURE,
		       "signing with %s failed (%.*s): name another key with --sign-key",
		       signing->key, (int)strcspn(wv_str_text(&said), "\n"), wv_str_text(&said));
}

/* Completes all modules, and only then writes them to their outputs. */
static int complete_and_install(const struct wv_kbuild *build, const char *folder, const char *log,
				struct wv_error *error)
{
	int ret = 0;

	for (size_t i = 0; i < build->n && !ret; i++) {
		ret = complete(&build->modules[i], folder, log, error);
		if (!ret)
			ret = sign(build->signing, build->modules[i].name, folder, error);
	}
	for (size_t i = 0; i < build->n && !ret; i++)
		if (build->modules[i].output)
			ret = install(folder, &build->modules[i], error);
	return ret;
}

/*
 * Refuses an output that exists and is no regular file, before time is spent on making the module.
 */
static int check_outputs(const struct wv_kbuild *build, struct wv_error *error)
{
	for (size_t i = 0; i < build->n; i++) {
		const char *output = build->modules[i].output;
		struct stat there;

		if (output && !stat(output, &there) && !S_ISREG(there.st_mode))
			return wv_fail(error, WV_E_FAILURE,
				       "%s: not a regular file, whose place a module could take",
				       output);
	}
	return 0;
}

int wv_kbuild_run(const struct wv_kbuild *build, bool *built_ret, struct wv_str *log,
		  struct wv_error *error)
{
	char folder[PATH_MAX], log_path[PATH_MAX + 8];
	int ret, status;

	ret = check_outputs(build, error);
	if (!ret)
		ret = make_folder(folder, error);
	if (ret)
		return ret;
	snprintf(log_path, sizeof(log_path), "%s/log", folder);
	ret = wv_kbuild_write(build, folder, error);
	if (!ret)
		ret = run_make(build, folder, log_path, &status, error);
	if (!ret) {
		read_text(log_path, log);
		*built_ret = WIFEXITED(status) && !WEXITSTATUS(status) &&
			     !(build->only_silent && log->n);
		if (*built_ret)
			ret = complete_and_install(build, folder, log_path, error);
	}
	remove_folder(folder);
	if (!ret && log->failed)
		ret = wv_fail_errno(error, ENOMEM, "the compiler's output");
	return ret;
}
