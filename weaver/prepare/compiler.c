// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the kernel's compiler; see compiler.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "prepare/compiler.h"
#include "prepare/config.h"
#include "prepare/programs.h"

#define PLUGIN "weft_joinpoints.so"

/* ---- finding the compiler -------------------------------------------------------------------- */

/*
 * Returns the part of a version text that identifies the build of the compiler: "(Debian
 * 12.2.0-14+deb12u1) 12.2.0" in "gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0". The first word is only
 * the name by which the compiler was called.
 */
static const char *build_of(const char *text)
{
	return strchr(text, '(') ? strchr(text, '(') : text;
}

/* Sets @ret to the first line of `COMPILER --version`; to "" if that cannot be run. */
static int ask_version(const char *compiler, struct wv_str *ret, struct wv_error *error)
{
	char *argv[] = { (char *)compiler, "--version", NULL };
	bool ok;
	int failed = wv_program_text(argv, false, ret, &ok, error);

	if (ret->data && ok)
		ret->data[strcspn(ret->data, "\n")] = '\0';
	else
		wv_str_deinit(ret);
	return failed;
}

/*
 * Writes to @package which Debian package has the compiler that is called @name and has the version
 * text @text: "gcc-12=12.2.0-14+deb12u1" for "gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0". If Debian
 * has not built the compiler, writes only @name.
 */
static void package_of(const char *name, const char *text, char *package, size_t size)
{
	static const char debian[] = "(Debian ";
	const char *version = strstr(text, debian);
	int n = snprintf(package, size, "%s", name);

	if (version && n > 0 && (size_t)n < size) {
		version += sizeof(debian) - 1;
		snprintf(package + n, size - n, "=%.*s", (int)strcspn(version, ")"), version);
	}
}

/*
 * Sets .compiler_found to the compiler whose version text is @text, if it is installed. Sets
 * @package to the Debian package that has this compiler. If another compiler is installed instead,
 * @other says which one.
 */
static int take_compiler(struct wv_prepare *prepare, const char *text, char package[256],
			 struct wv_str *other, struct wv_error *error)
{
	static const char prefix[] = "x86_64-linux-gnu-";
	_cleanup_str_ struct wv_str version = { 0 };
	char named[128];
	const char *names[] = { named, named, "gcc" };
	int ret = 0;

	snprintf(named, sizeof(named), "%.*s", (int)strcspn(text, " "), text);
	if (!strncmp(named, prefix, sizeof(prefix) - 1))
		names[1] = named + sizeof(prefix) - 1;
	package_of(names[1], text, package, 256);
	if (prepare->compiler)
		names[0] = names[1] = names[2] = prepare->compiler;
	for (size_t i = 0; i < 3 && !ret; i++) {
		ret = ask_version(names[i], &version, error);
		if (ret || !version.n)
			continue;
		if (!strcmp(build_of(version.data), build_of(text))) {
			wv_str_add(&prepare->compiler_found, names[i]);
			return 0;
		}
		wv_str_deinit(other);
		wv_str_addf(other, "%s here is '%s'", names[i], version.data);
	}
	return ret;
}

static int no_compiler(const char *text, const char *package, const struct wv_str *other,
		       struct wv_error *error)
{
	return wv_fail(error, WV_E_MISMATCH,
		       "the kernel was compiled by '%s', and %s: another compiler makes other "
		       "code; apt-get install %s",
		       text, other->n ? other->data : "there is no such compiler here", package);
}

/* ---- finding the plugin ---------------------------------------------------------------------- */

/* Sets @ret to the folder in which the kernel's compiler looks for plugins. */
static int plugin_folder(struct wv_prepare *prepare, struct wv_str *ret, struct wv_error *error)
{
	char *argv[] = { prepare->compiler_found.data, "-print-file-name=plugin", NULL };
	bool ok;
	int failed = wv_program_text(argv, false, ret, &ok, error);

	if (ret->data)
		ret->data[strcspn(ret->data, "\n")] = '\0';
	return failed;
}

/*
 * Sets *@ok_ret to whether the compiler can load the file @plugin as a plugin. A plugin works only
 * in the compiler that it was built for, so this is found out by loading it. If the compiler cannot
 * load @plugin, @said is the first line of the compiler's message.
 */
static int try_plugin(struct wv_prepare *prepare, const char *plugin, bool *ok_ret,
		      struct wv_str *said, struct wv_error *error)
{
	_cleanup_str_ struct wv_str option = { 0 };
	char *argv[] = { prepare->compiler_found.data, "-fsyntax-only", NULL, "-x", "c",
			 "/dev/null", NULL };
	int ret;

	wv_str_addf(&option, "-fplugin=%s", plugin);
	argv[2] = option.data;
	ret = option.failed ? wv_no_memory(error) :
			      wv_program_text(argv, false, said, ok_ret, error);
	if (said->data)
		said->data[strcspn(said->data, "\n")] = '\0';
	return ret;
}

/*
 * Paths at which the plugin may be: the one that the command line names; or, if it names none,
 * those in weft's build folder, in the compiler's plugin folder, and in the folder into which `make
 * install` puts the plugin.
 */
struct places {
	char path[3][PATH_MAX + 64];
	size_t n;
};

static int find_places(struct wv_prepare *prepare, struct places *places, struct wv_error *error)
{
	_cleanup_str_ struct wv_str folder = { 0 };
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	int ret = 0;

	places->n = 0;
	if (prepare->plugin) {
		snprintf(places->path[places->n++], PATH_MAX, "%s", prepare->plugin);
		return 0;
	}
	program[n > 0 ? n : 0] = '\0';
	if (strrchr(program, '/'))
		strrchr(program, '/')[1] = '\0';
	snprintf(places->path[places->n++], PATH_MAX + 64, "%sgcc-plugin/" PLUGIN, program);
	ret = plugin_folder(prepare, &folder, error);
	snprintf(places->path[places->n++], PATH_MAX + 64, "%.4000s/" PLUGIN,
		 wv_str_text(&folder));
	snprintf(places->path[places->n++], PATH_MAX + 64, "%s../lib/weft/" PLUGIN, program);
	return ret;
}

static int find_plugin(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_str_ struct wv_str said = { 0 };
	struct places places;
	char found[PATH_MAX] = "";
	int ret = find_places(prepare, &places, error);
	bool ok = false;

	for (size_t i = 0; i < places.n && !ret && !ok; i++) {
		if (!realpath(places.path[i], found))
			continue;
		ret = try_plugin(prepare, found, &ok, &said, error);
		if (ok)
			wv_str_add(&prepare->plugin_found, found);
	}
	if (ret || ok)
		return ret;
	if (said.n)
		return wv_fail(error, WV_E_FAILURE,
			       "the plugin does not work in %s: %.300s; build it for that compiler "
			       "(make plugin CC=%s), or name another with --plugin",
			       prepare->compiler_found.data, said.data,
			       prepare->compiler_found.data);
	return wv_fail(error, WV_E_FAILURE,
		       "there is no " PLUGIN " for %s: install gcc-N-plugin-weft, or make plugin "
		       "CC=%s, or name it with --plugin",
		       prepare->compiler_found.data, prepare->compiler_found.data);
}

/* ---- finding the programs and headers that kbuild needs -------------------------------------- */

/*
 * Returns whether the kernel has the option @option, or may have it because the kernel's
 * configuration is not known yet. Returns true if @option is NULL.
 */
static bool may_have(const struct wv_config *config, const char *option)
{
	return !option || !config->lines.strings.n || wv_config_has(config, option);
}

static void add_programs(const struct wv_config *config, struct wv_str *missing)
{
	static const struct {
		const char *program, *package, *option;
	} needed[] = {
		{ "make", "make", NULL },	 { "flex", "flex", NULL },
		{ "bison", "bison", NULL },	 { "bc", "bc", NULL },
		{ "ld", "binutils", NULL },	 { "perl", "perl", NULL },
		{ "tar", "tar", NULL },		 { "xz", "xz-utils", NULL },
		{ "pahole", "pahole", "CONFIG_DEBUG_INFO_BTF" },
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!wv_program_exists(needed[i].program) && may_have(config, needed[i].option))
			wv_str_addf(missing, " %s", needed[i].package);
}

/*
 * Adds to @missing the packages of those headers that cannot be included. To find this out,
 * compiles an #include of each header. If no compiler is installed yet, the packages of all headers
 * are added. This does no harm, because apt leaves installed packages as they are.
 */
static int add_headers(const struct wv_prepare *prepare, const struct wv_config *config,
		       struct wv_str *missing, struct wv_error *error)
{
	static const struct {
		const char *header, *package, *option;
	} needed[] = {
		{ "gelf.h", "libelf-dev", "CONFIG_OBJTOOL" },
		{ "openssl/opensslv.h", "libssl-dev", "CONFIG_MODULE_SIG_FORMAT" },
	};
	const char *compiler = prepare->compiler_found.n ? prepare->compiler_found.data : "gcc";
	int ret = 0;

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed) && !ret; i++) {
		_cleanup_str_ struct wv_str said = { 0 };
		char *argv[] = { (char *)compiler, "-fsyntax-only", "-include",
				 (char *)needed[i].header, "-x", "c", "/dev/null", NULL };
		bool ok;

		if (!may_have(config, needed[i].option))
			continue;
		ret = wv_program_text(argv, false, &said, &ok, error);
		if (!ret && !ok)
			wv_str_addf(missing, " %s", needed[i].package);
	}
	return ret;
}

/*
 * Checks that the compiler with the version text @text, and all programs and headers that kbuild
 * needs, are installed. If not, reports everything that is missing in one message, with the command
 * that installs it. @text NULL: it is not known yet which compiler is needed.
 */
static int check_needs(struct wv_prepare *prepare, const struct wv_config *config, const char *text,
		       struct wv_error *error)
{
	_cleanup_str_ struct wv_str missing = { 0 }, other = { 0 };
	char package[256];
	int ret = 0;

	add_programs(config, &missing);
	if (text)
		ret = take_compiler(prepare, text, package, &other, error);
	if (!ret)
		ret = add_headers(prepare, config, &missing, error);
	if (ret)
		return ret;
	if (!missing.n)
		return !text || prepare->compiler_found.n ? 0 : no_compiler(text, package, &other,
									    error);
	if (text && !prepare->compiler_found.n)
		wv_str_addf(&missing, " %s", package);
	return wv_fail(error, WV_E_FAILURE,
		       "compiling a kernel needs more than is here: apt-get install%s",
		       wv_str_text(&missing));
}

int wv_compiler_find(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_config_ struct wv_config config = { 0 };
	_cleanup_free_ char *text = NULL;
	int ret;

	if (prepare->compiler_found.n)
		return 0;
	if (!prepare->config_found.n)
		return check_needs(prepare, &config, NULL, error);
	ret = wv_config_read(prepare->config_found.data, &config, error);
	if (ret)
		return ret;
	text = wv_config_text(&config, "CONFIG_CC_VERSION_TEXT");
	if (!text || !*text || !wv_config_has(&config, "CONFIG_CC_IS_GCC"))
		return wv_fail(error, WV_E_MISMATCH,
			       "%s: the kernel was not compiled by GCC, which weft's plugin is for",
			       prepare->config_found.data);
	ret = check_needs(prepare, &config, text, error);
	return ret ? ret : find_plugin(prepare, error);
}
