/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only file of the plugin that includes GCC's headers (each needs those before it), and the
 * only file that handles differences between GCC versions.
 *
 * GCC 13 adds a discriminator to ad-hoc locations; get_pure_location() drops it. GCC 15 widens
 * location_t to 64 bits; wp_key() hashes all of its bits.
 */
#ifndef WEFT_GCC_COMPAT_H
#define WEFT_GCC_COMPAT_H

#include "gcc-plugin.h"
#include "bversion.h"
#include "config.h"
#include "system.h"
#include "coretypes.h"
#include "tm.h"
#include "backend.h"
#include "memmodel.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "ssa.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "cfgloop.h"
#include "tree-phinodes.h"
#include "tree-dfa.h"
#include "tree-iterator.h"
#include "cgraph.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "ipa-param-manipulation.h"
#include "symtab-clones.h"
#include "tree-nested.h"
#include "stringpool.h"
#include "attribs.h"
#include "insn-config.h"
#include "recog.h"
#include "emit-rtl.h"
#include "rtl-iter.h"
#include "output.h"
#include "varasm.h"
#include "langhooks.h"
#include "context.h"
#include "toplev.h"
#include "options.h"
#include "opts.h"
#include "file-prefix-map.h"
#include "line-map.h"
#include "cpplib.h"
#include "c-family/c-common.h"
#include "input.h"
#include "diagnostic-core.h"
#include "diagnostic.h"
#include "c-family/c-pragma.h"
#if BUILDING_GCC_MAJOR >= 16
#include "diagnostics/file-cache.h"
using diagnostics::char_span;
#endif

/*
 * The oldest supported GCC: major version times 1000. plugin.cc compares it with GCCPLUGIN_VERSION
 * of plugin-version.h.
 */
#define WP_OLDEST_GCC 12000

/*
 * A location without its range, block and discriminator: two expressions made from one source token
 * have the same pure location.
 */
static inline location_t wp_pure(location_t where)
{
	return get_pure_location(line_table, where);
}

/* The text of a source line, as GCC has it in its cache of files; empty if it cannot be read. */
static inline char_span wp_source_line(const char *file, int line)
{
#if BUILDING_GCC_MAJOR >= 14
	return global_dc->get_file_cache().get_source_line(file, line);
#else
	return location_get_source_line(file, line);
#endif
}

/*
 * Returns the location of the name of the macro whose expansion @it maps. Newer GCCs have a member
 * function for that, older ones another. The compiler takes the overload that compiles; the first
 * if both do.
 */
template <typename map>
static inline auto wp_macro_name_location(const map *it, int)
	-> decltype(it->get_expansion_point_location())
{
	return it->get_expansion_point_location();
}

template <typename map>
static inline auto wp_macro_name_location(const map *it, long)
	-> decltype(MACRO_MAP_EXPANSION_POINT_LOCATION(it))
{
	return MACRO_MAP_EXPANSION_POINT_LOCATION(it);
}

/*
 * Weak: only the compilers of the C family define these symbols, and the plugin must load into the
 * others (lto1), too.
 */
extern struct cpp_reader *parse_in __attribute__((weak));
extern const char *pch_file __attribute__((weak));
extern int cpp_defined(cpp_reader *, const unsigned char *, int) __attribute__((weak));

static inline bool wp_macro_defined(const char *name)
{
	return &parse_in && cpp_defined && parse_in &&
	       cpp_defined(parse_in, (const unsigned char *)name, strlen(name));
}

/* True while a precompiled header is written: assembler text must not be printed into it. */
static inline bool wp_writing_pch(void)
{
	return &pch_file && pch_file;
}

#endif /* WEFT_GCC_COMPAT_H */
