/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything of GCC that the plugin uses comes in here, in the one order in which GCC's headers can
 * be included, and every difference between GCC versions is optimized here, so that no other file
 * names a version.
 *
 * GCC 13 gives ad-hoc locations a discriminator as well (get_pure_location drops it), GCC 15 widens
 * location_t to 64 bits (keys are made by wp_key, which mixes all of its bits).
 */
#ifndef WEFT_GCC_COMPAT_H
#define WEFT_GCC_COMPAT_H

#include "gcc-plugin.h"
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
#include "tree-phinodes.h"
#include "tree-dfa.h"
#include "tree-iterator.h"
#include "cgraph.h"
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
#include "diagnostic-core.h"
#include "c-family/c-pragma.h"

/*
 * The oldest GCC whose headers this builds with; plugin.cc, which alone knows the version, checks
 * it.
 */
#define WP_OLDEST_GCC 12000

/*
 * A location without its range, block and discriminator: what two mentions of one source token have
 * in common.
 */
static inline location_t wp_pure(location_t where)
{
	return get_pure_location(line_table, where);
}

/*
 * Only the C family's compilers have a preprocessor to ask; the others must be able to load the
 * plugin as well.
 */
extern struct cpp_reader *parse_in __attribute__((weak));
extern const char *pch_file __attribute__((weak));
extern int cpp_defined(cpp_reader *, const unsigned char *, int) __attribute__((weak));

static inline bool wp_macro_defined(const char *name)
{
	return &parse_in && cpp_defined && parse_in &&
	       cpp_defined(parse_in, (const unsigned char *)name, strlen(name));
}

/* Whether the output is a precompiled header, where assembler text would do harm. */
static inline bool wp_writing_pch(void)
{
	return &pch_file && pch_file;
}

#endif /* WEFT_GCC_COMPAT_H */
