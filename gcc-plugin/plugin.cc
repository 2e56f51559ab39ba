// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The entry point of the plugin weft_joinpoints. It refuses unsupported compilers and options, with
 * one error that says why. Then it registers the callbacks and passes, in the order in which they
 * run.
 */
#include "gcc-compat.h"
#include "plugin-version.h"
#include "fate.h"
#include "joinpoints.h"
#include "lowered.h"
#include "pointers.h"
#include "survivor.h"

#if GCCPLUGIN_VERSION < WP_OLDEST_GCC
#error "this compiler's plugin headers are too old for weft_joinpoints"
#endif

extern "C" {
/* GCC loads only plugins that define this symbol. */
__attribute__((visibility("default"))) int plugin_is_GPL_compatible = 1;
__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info,
						       plugin_gcc_version *version);
}

static plugin_info description = {
	"1",
	"Records accesses to struct members, and the instructions that do them, in "
	"section " WEFT_TABLE_SECTION ".\nWith -fsyntax-only, accesses=FILE has the "
	"accesses go to FILE, as assembler text.",
};

/*
 * Plugins use GCC's internal structures, whose layout may differ in any other build, even of the
 * same version.
 */
static void check_version(const char *name, plugin_gcc_version *running)
{
	if (plugin_default_version_check(running, &gcc_version))
		return;
	fatal_error(UNKNOWN_LOCATION,
		    "plugin %qs was built for GCC %s (%s) and cannot run in this GCC %s (%s); "
		    "build it with the plugin "
		    "headers of this compiler",
		    name, gcc_version.basever, gcc_version.datestamp, running->basever,
		    running->datestamp);
}

/*
 * The file of the argument "accesses", for a unit without code; NULL if the table goes into the
 * object.
 */
static const char *check_arguments(const plugin_name_args *info)
{
	const char *accesses = NULL;

	for (int i = 0; i < info->argc; i++) {
		const plugin_argument *argument = &info->argv[i];

		if (strcmp(argument->key, "accesses") || !argument->value)
			fatal_error(UNKNOWN_LOCATION,
				    "plugin %qs: unknown argument %qs; it takes %<accesses=FILE%>",
				    info->base_name, argument->key);
		accesses = argument->value;
	}
	if (accesses && !flag_syntax_only)
		fatal_error(UNKNOWN_LOCATION,
			    "plugin %qs: argument %<accesses%> is for %<-fsyntax-only%>; "
			    "with code the table goes into the object",
			    info->base_name);
	return accesses;
}

/* Is the language C? GCC then calls it "GNU C17" and the like; "GNU C++17" is not C. */
static bool is_c(void)
{
	const char prefix[] = "GNU C";
	size_t length = sizeof(prefix) - 1;

	return !strncmp(lang_hooks.name, prefix, length) && lang_hooks.name[length] != '+';
}

/*
 * Refuses LTO: the labels are made when the code is, which LTO does in another process that has not
 * parsed the source.
 */
static void check_lto(const char *name)
{
	if (flag_lto || in_lto_p)
		fatal_error(UNKNOWN_LOCATION,
			    "plugin %qs does not work with link-time optimization (%<-flto%>)",
			    name);
}

/* Called before each pass. One callback for all: GCC's way to call one takes its time. */
static void before_pass(void *gcc_data, void *data)
{
	const opt_pass *pass = (const opt_pass *)gcc_data;

	wp_survivor_before(pass);
	wp_fate_rtl_before(pass);
	wp_fate_watch_before(pass);
}

static void insert_pass(const char *name, opt_pass *pass, const char *reference,
			enum pass_positioning_ops where)
{
	register_pass_info info = {pass, reference, 1, where};

	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

int plugin_init(plugin_name_args *info, plugin_gcc_version *version)
{
	const char *name = info->base_name, *accesses;

	check_version(name, version);
	accesses = check_arguments(info);
	register_callback(name, PLUGIN_INFO, NULL, &description);
	if (flag_preprocess_only || !(is_c() || in_lto_p))
		return 0;
	check_lto(name);
	wp_store_init();
	register_callback(name, PLUGIN_FINISH_DECL, wp_capture_variable, NULL);
	if (accesses) {
		/*
		 * If GCC makes no code it lowers nothing (see needed.cc), so every function is
		 * walked when it has been parsed.
		 */
		register_callback(name, PLUGIN_PRE_GENERICIZE, wp_capture_function, NULL);
		wp_syntax_only_init(name, accesses);
		return 0;
	}
	wp_needed_init(name);
	register_callback(name, PLUGIN_ALL_IPA_PASSES_START, wp_watch_replaced, NULL);
	register_callback(name, PLUGIN_ALL_IPA_PASSES_END, wp_mark_inlined_emitted, NULL);
	insert_pass(name, wp_pointers_pass_create(g), "ssa", PASS_POS_INSERT_AFTER);
	wp_lowered_init(name);
	wp_fate_watch_init(name);
	wp_fate_rtl_init(name);
	wp_fate_way_init(name);
	wp_survivor_init(name);
	register_callback(name, PLUGIN_PASS_EXECUTION, before_pass, NULL);
	insert_pass(name, wp_calls_pass_create(g), "optimized", PASS_POS_INSERT_AFTER);
	insert_pass(name, wp_label_pass_create(g), "final", PASS_POS_INSERT_BEFORE);
	/* Of one event's callbacks GCC calls the last one first. */
	register_callback(name, PLUGIN_FINISH_UNIT, wp_emit, NULL);
	register_callback(name, PLUGIN_FINISH_UNIT, wp_fate_unemitted, NULL);
	return 0;
}
