/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles an aspect (module/compile-module.h) with options from a command line, and prints the
 * messages. Used by `compile`; and by `weave` and `run`, which compile an aspect if they get its
 * file instead of a module.
 */
#ifndef WV_ASPECT_MODULE_H
#define WV_ASPECT_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "module/compile-module.h"
#include "base/error.h"
#include "cmds/option-row.h"

struct wv_module_options {
	struct wv_compile what;
	bool print_c; /* print the C to standard output, and build no module */
	bool verbose; /* show kbuild's whole output, and each refused shadow */
	bool brief; /* print only the first line of each note */
	bool quiet; /* print no notes, unless the compile fails */
};

/* Initial value of struct wv_module_options, for use before the command line is parsed. */
#define WV_MODULE_DEFAULTS { .what.limit = WV_COMPILE_LIMIT }

/*
 * The option rows of every command that builds a module. @type is the struct of the command's
 * options. @in says where in @type its struct wv_module_options is: the name of the member, and a
 * dot, such as "module."; empty if @type is struct wv_module_options itself.
 */
#define WV_MODULE_OPTIONS(type, in)                                                                \
	WV_TEXT(type, in what.kernel, "kernel", 'k', "FOLDER", WV_COMPLETE_FOLDER,                 \
		"the folder in which the kernel was built ($WEFT_KERNEL, or the running kernel's " \
		"/lib/modules/RELEASE/build)"),                                                    \
		WV_TEXT(type, in what.db, "db", 'd', "DB", WV_COMPLETE_DATABASE,                   \
			"the joinpoint database of that kernel ($WEFT_DB, or vmlinux.weft in "     \
			"that folder)"),                                                           \
		WV_TEXT(type, in what.modules, "modules", 0, "FOLDER", WV_COMPLETE_FOLDER,         \
			"the folder of the modules that the database has, for variables in them "  \
			"(what was built in that folder, or the kernel's debug package)"),         \
		WV_TEXT(type, in what.kmod, "kmod", 0, "FOLDER", WV_COMPLETE_FOLDER,               \
			"where weft.ko's Module.symvers is (beside weft)"),                        \
		WV_TEXT(type, in what.runtime, "runtime", 0, "FOLDER", WV_COMPLETE_FOLDER,         \
			"where weft's runtime headers are ($WEFT_RUNTIME, or beside weft)"),       \
		WV_TEXT(type, in what.sign_key, "sign-key", 0, "KEY", WV_COMPLETE_FILE,            \
			"sign the module with KEY, a file or a pkcs11: URI ($WEFT_SIGN_KEY, the "  \
			"kernel's own, DKMS's, shim-signed's, if it can be read)"),                \
		WV_TEXT(type, in what.sign_certificate, "sign-cert", 0, "FILE", WV_COMPLETE_FILE,  \
			"the certificate of KEY ($WEFT_SIGN_CERT, or the found key's)"),           \
		WV_NUMBER(type, in what.limit, "at-most", 0, "N",                                  \
			  "refuse an aspect that has more than N shadows (default: 10000)"),       \
		WV_FLAG(type, in verbose, "verbose", 'v',                                          \
			"show all that kbuild prints, and each shadow that is refused")

/*
 * The name that stands for the file of an aspect from standard input, in messages and in the cache.
 */
#define WV_STDIN_ASPECT "stdin.xml"

/* Returns whether @named is an aspect's source, a file .xml or "-". If not, it is a module. */
bool wv_is_aspect_source(const char *named);

/*
 * Sets the aspect in @options: the file @named or, if @named is "-", the text of standard input.
 * Reads this text into @text; @options then have a pointer to @text.
 */
int wv_module_take(struct wv_module_options *options, const char *named, struct wv_str *text,
		   struct wv_error *error);

/*
 * If the options name no kernel or no database, sets the default (defaults.h). Returns -WV_E_USAGE
 * if there is no default. @command is the command's name, for the message.
 */
int wv_module_complete(struct wv_module_options *options, const char *command,
		       struct wv_error *error);

/*
 * Compiles the @n files @aspects to the modules @outputs, with @options. If .print_c of @options is
 * set, writes the C to standard output instead. Prints the messages. Sets the @n elements of
 * @shadows to the number of shadows of each aspect.
 */
int wv_module_build(const struct wv_module_options *options, size_t n, char *const *aspects,
		    char *const *outputs, size_t *shadows, struct wv_error *error);

/*
 * Compiles the aspect in @options into the cache, unless the cache has its module. Sets @path to
 * the module's path, and *@shadows_ret to the number of shadows; to 0 if the cache had the module.
 * Prints the messages.
 */
int wv_module_cached(const struct wv_module_options *options, char path[PATH_MAX],
		     size_t *shadows_ret, struct wv_error *error);

#endif /* WV_ASPECT_MODULE_H */
