// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs kbuild; see kbuild-make.h. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/child.h"
#include "base/str.h"
#include "module/build-folder.h"
#include "module/kbuild-make.h"

/*
 * The Kbuild file, except for the line that names the modules.
 * - Symbolic links in the temporary folder lead to the runtime headers and to weft.ko's
 *   Module.symvers, so that make sees no path with blanks, which it could not handle.
 * - The author's C may mix declarations and statements.
 * - Warnings are no errors, even with CONFIG_WERROR, except those about formats.
 */
const char wv_kbuild_text[] =
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

int wv_kbuild_sources(const struct wv_kbuild_folders *folders,
		      const struct wv_module_source *sources, size_t n, const char *more,
		      const char *folder, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	int ret = 0;

	wv_str_add(&text, "# Made by weft: do not edit.\nobj-m :=");
	for (size_t i = 0; i < n && !ret; i++) {
		char name[80];

		snprintf(name, sizeof(name), "%s.c", sources[i].name);
		ret = wv_build_file_write(folder, name, sources[i].text, error);
		wv_str_addf(&text, " %s.o", sources[i].name);
	}
	wv_str_addf(&text, "\n%s%s", wv_kbuild_text, more);
	if (text.failed)
		return wv_no_memory(error);
	if (!ret)
		ret = wv_build_file_write(folder, "Kbuild", text.data, error);
	if (!ret)
		ret = wv_build_file_link(folders->runtime, "", folder, "runtime", error);
	if (!ret)
		ret = wv_build_file_link(folders->kmod, "/Module.symvers", folder, "weft.symvers",
					 error);
	return ret;
}

int wv_kbuild_make(const struct wv_kbuild_folders *folders, bool parallel, const char *folder,
		   const char *log, bool *ok_ret, struct wv_error *error)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char module[PATH_MAX + 16], symvers[PATH_MAX + 64], jobs[32];
	/*
	 * KCFLAGS=-g1 makes the line tables from which late-tables.h finds the line of an
	 * instruction; they are removed from the module after that. It also replaces the KCFLAGS
	 * with which the kernel was built, such as those of the plugin, which are meant for vmlinux
	 * only. BTF is switched off, because nothing reads the BTF of an aspect.
	 */
	char *argv[] = { "make", "-s", jobs, "-C", (char *)folders->kernel, module, symvers,
			 "KCFLAGS=-g1", "CONFIG_DEBUG_INFO_BTF_MODULES=", "PAHOLE_FLAGS=",
			 "modules", NULL };

	snprintf(jobs, sizeof(jobs), "-j%ld", parallel && cpus > 1 ? cpus : 1);
	snprintf(module, sizeof(module), "M=%s", folder);
	snprintf(symvers, sizeof(symvers), "KBUILD_EXTRA_SYMBOLS=%s/weft.symvers", folder);
	return wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log }, ok_ret, error);
}
