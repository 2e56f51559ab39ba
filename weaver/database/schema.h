/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The database's schema, shared by the code that builds the database and the code that reads it.
 * docs/database.md explains each table. A change of the schema needs the same change in that
 * document, and a new WV_SCHEMA_VERSION.
 */
#ifndef WV_SCHEMA_H
#define WV_SCHEMA_H

#define WV_SCHEMA_VERSION 18

/*
 * A macro's numeric value as SQL text. Works only for literals without a suffix and for
 * parenthesised expressions of them; enumerators are bound as parameters.
 */
#define WV_SQL(number) WV_SQL_(number)
#define WV_SQL_(number) #number

/*
 * SQLite's application id in the file's header: "weft", by which file(1) and weft recognise the
 * file.
 */
#define WV_SCHEMA_APPLICATION_ID 0x77656674

/*
 * The image's text is stored in pieces of this many bytes, so that a query for an instruction reads
 * only one piece. A piece with its header fills one database page of 8192 bytes.
 */
#define WV_SCHEMA_TEXT_PIECE 8128u

/*
 * The table `names` has each name of a function once. A row has several, in the order of the names;
 * `first` is the first of them. Before each name is a byte, the sum of WV_NAME_IS_*, and after it a
 * NUL. With the key and the names a row has at most this many bytes, so that four rows fill a
 * database page.
 */
#define WV_SCHEMA_NAMES_PIECE 2020u
#define WV_NAME_IS_FUNCTION 1 /* a symbol has it that is neither a label nor a cold part */
#define WV_NAME_IS_INLINED 2  /* a row of the table `inline` has it */

/*
 * Rows of different images have different ids and offsets. The bits of an id from WV_IMAGE_ID_BITS
 * upward hold the number of the row's image, which is 0 for the vmlinux. The bits of an offset from
 * WV_IMAGE_OFFSET_BITS upward hold this number, too. So the rows of one image can be recognised,
 * and can be copied from another database, without reading the rows of other images.
 */
#define WV_IMAGE_ID_BITS 24
#define WV_IMAGE_OFFSET_BITS 40
#define WV_IMAGES_MAX 65536u

/*
 * SQL that is true of an offset in the vmlinux. The unary plus keeps SQLite from using an index for
 * this condition. An index would not help, since most offsets are in the vmlinux.
 */
#define WV_SQL_IN_VMLINUX(offset) "+" offset " < 1 << " WV_SQL(WV_IMAGE_OFFSET_BITS)

/*
 * SQL that is true of the row of the table `place` that describes the code at the offset @at. A row
 * describes the code from its own offset up to the offset of the next row.
 */
#define WV_SQL_IS_PLACE(place, at) \
	place ".offset = (SELECT max(offset) FROM place WHERE offset <= " at ")"

/* Flags of a symbol (symbol.flags). */
#define WV_SYMBOL_GLOBAL 1
/* another name of a function; the symbol with the preferred name is at the same address */
#define WV_SYMBOL_ALIAS 2
/* a label of assembler code: no function begins at its address */
#define WV_SYMBOL_LABEL 4
#define WV_SYMBOL_COMPILED 8 /* the function, and its calls, obey the C calling convention */
/*
 * A field in the flags of a symbol with WV_SYMBOL_COMPILED. The field holds the number of argument
 * registers in which callers may pass arguments to the function. WV_SYMBOL_GIVEN_SHIFT is the
 * number of the field's lowest bit, and WV_SYMBOL_GIVEN is the field's maximum value.
 */
#define WV_SYMBOL_GIVEN_SHIFT 4
#define WV_SYMBOL_GIVEN 7
/* DWARF says that GCC has compiled the function from C; also set for its cold part */
#define WV_SYMBOL_C 128
/* a symbol with WV_SYMBOL_LABEL that stands for the symbol of this name in another image */
#define WV_SYMBOL_IMPORT 256

/* Flags of symbols that are not the preferred name of their address. */
#define WV_SYMBOL_SECONDARY (WV_SYMBOL_ALIAS | WV_SYMBOL_LABEL)

/*
 * The function of a tracepoint has this prefix before the tracepoint's name (__DEFINE_TRACE_FN() in
 * include/linux/tracepoint.h).
 */
#define WV_TRACEPOINT_FUNCTION "__traceiter_"

/* SQL conditions on a symbol. @flags: the column with its flags. */
#define WV_SQL_IS_NO_LABEL(flags) "NOT " flags " & " WV_SQL(WV_SYMBOL_LABEL)
#define WV_SQL_IS_NO_ALIAS(flags) "NOT " flags " & " WV_SQL(WV_SYMBOL_ALIAS)
#define WV_SQL_IS_PREFERRED(flags) "NOT " flags " & " WV_SQL(WV_SYMBOL_SECONDARY)

/* Values of shadow.chosen: why a shadow is used. */
enum wv_chosen {
	WV_CHOSEN_NOT = 0,  /* not used, because another label fits the joinpoint's kind better */
	WV_CHOSEN_OWN = 1,  /* used for the joinpoint's own kind */
	WV_CHOSEN_CALL = 2, /* used for calls through the value that a get has read */
};

#define WV_SCHEMA_TABLES                                                                         \
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"                          \
	"CREATE TABLE image(id INTEGER PRIMARY KEY, name TEXT NOT NULL, build_id BLOB NOT NULL," \
	" units INTEGER NOT NULL, records INTEGER NOT NULL, joinpoints INTEGER NOT NULL,"        \
	" mentions INTEGER NOT NULL);"                                                           \
	"CREATE TABLE unit(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"                          \
	" known INTEGER NOT NULL);"                                                              \
	"CREATE TABLE mention(image INTEGER NOT NULL, word TEXT NOT NULL,"                       \
	" units INTEGER NOT NULL, PRIMARY KEY(image, word)) WITHOUT ROWID;"                      \
	"CREATE TABLE section(offset INTEGER PRIMARY KEY, name TEXT NOT NULL,"                   \
	" size INTEGER NOT NULL, anchor TEXT, anchor_offset INTEGER);"                           \
	"CREATE TABLE file(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"                         \
	"CREATE TABLE field(id INTEGER PRIMARY KEY, struct TEXT NOT NULL, member TEXT NOT NULL," \
	" path TEXT NOT NULL, outermost TEXT NOT NULL, innermost TEXT NOT NULL,"                 \
	" flags INTEGER NOT NULL, byte INTEGER);"                                                \
	"CREATE TABLE function(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"                      \
	" flags INTEGER NOT NULL);"                                                              \
	"CREATE TABLE macro(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"                        \
	"CREATE TABLE joinpoint(id INTEGER PRIMARY KEY, field INTEGER NOT NULL,"                 \
	" kind INTEGER NOT NULL, function INTEGER NOT NULL, file INTEGER NOT NULL,"              \
	" line INTEGER NOT NULL, \"column\" INTEGER NOT NULL, macro INTEGER,"                    \
	" spelling_file INTEGER, spelling_line INTEGER, spelling_column INTEGER);"               \
	"CREATE TABLE symbol(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"                        \
	" offset INTEGER NOT NULL, size INTEGER NOT NULL, entry INTEGER NOT NULL,"               \
	" flags INTEGER NOT NULL, file INTEGER, line INTEGER, \"column\" INTEGER);"              \
	"CREATE TABLE shadow(joinpoint INTEGER NOT NULL, offset INTEGER NOT NULL,"               \
	" use INTEGER NOT NULL, precision INTEGER NOT NULL, chosen INTEGER NOT NULL,"            \
	" symbol INTEGER, PRIMARY KEY(joinpoint, offset, use, precision)) WITHOUT ROWID;"        \
	"CREATE TABLE fate(joinpoint INTEGER NOT NULL, symbol INTEGER,"                          \
	" fate INTEGER NOT NULL, by INTEGER, offset INTEGER);"                                   \
	"CREATE TABLE line(file INTEGER NOT NULL, line INTEGER NOT NULL,"                        \
	" offset INTEGER NOT NULL, \"column\" INTEGER NOT NULL, symbol INTEGER,"                 \
	" first INTEGER NOT NULL,"                                                               \
	" PRIMARY KEY(file, line, offset)) WITHOUT ROWID;"                                       \
	"CREATE TABLE inline(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"                       \
	"CREATE TABLE copy(inline INTEGER NOT NULL, offset INTEGER NOT NULL,"                    \
	" symbol INTEGER NOT NULL, file INTEGER, line INTEGER, \"column\" INTEGER,"              \
	" PRIMARY KEY(inline, offset)) WITHOUT ROWID;"                                           \
	"CREATE TABLE place(offset INTEGER PRIMARY KEY, file INTEGER, line INTEGER,"             \
	" \"column\" INTEGER, inline INTEGER);"                                                  \
	"CREATE TABLE call(target INTEGER NOT NULL, offset INTEGER NOT NULL,"                    \
	" symbol INTEGER NOT NULL, file INTEGER, line INTEGER, \"column\" INTEGER,"              \
	" inline INTEGER, PRIMARY KEY(target, offset)) WITHOUT ROWID;"                           \
	"CREATE TABLE owner(offset INTEGER NOT NULL, kind INTEGER NOT NULL,"                     \
	" target INTEGER NOT NULL, size INTEGER NOT NULL,"                                       \
	" PRIMARY KEY(offset, kind, target, size)) WITHOUT ROWID;"                               \
	"CREATE TABLE branch_target(offset INTEGER PRIMARY KEY);"                                \
	"CREATE TABLE text(offset INTEGER PRIMARY KEY, bytes BLOB NOT NULL);"                    \
	"CREATE TABLE names(first TEXT PRIMARY KEY, names BLOB NOT NULL) WITHOUT ROWID;"

/*
 * Indexes; created after all rows are inserted, because sorting once is faster than keeping the
 * indexes sorted.
 */
#define WV_SCHEMA_INDEXES                                                          \
	"CREATE INDEX field_member ON field(struct, member);"                      \
	"CREATE INDEX field_path ON field(outermost, innermost);"                  \
	"CREATE INDEX file_name ON file(name);"                             \
	"CREATE INDEX macro_name ON macro(name);"                           \
	"CREATE INDEX function_name ON function(name);"                            \
	"CREATE INDEX joinpoint_field ON joinpoint(field);"                        \
	"CREATE INDEX fate_joinpoint ON fate(joinpoint);"                          \
	"CREATE INDEX joinpoint_line ON joinpoint(file, line);"                    \
	"CREATE INDEX joinpoint_macro ON joinpoint(macro) WHERE macro IS NOT NULL;" \
	"CREATE INDEX inline_name ON inline(name);"                         \
	/* It has all columns that most searches by name read: they need not read the table. */ \
	"CREATE INDEX symbol_name ON symbol(name, offset, flags);"                 \
	"CREATE INDEX symbol_offset ON symbol(offset);"

/*
 * Views for people with a sqlite3 shell. This is a format string; its arguments are SQL for the
 * name of joinpoint.kind, SQL for the name of shadow.precision, and WV_CHOSEN_OWN.
 */
#define WV_SCHEMA_VIEWS                                                                          \
	"CREATE VIEW point AS SELECT field.struct, field.member,"                                \
	" %s AS kind,"                                                                           \
	" function.name AS function, file.name AS file, joinpoint.line, joinpoint.\"column\","   \
	" macro.name AS macro, symbol.name AS symbol, shadow.offset - symbol.offset AS offset,"  \
	" CASE WHEN " WV_SQL_IN_VMLINUX("shadow.offset") " THEN printf('0x%%x',"                 \
	" (SELECT value FROM meta WHERE key = 'text_address') + shadow.offset) END AS address,"  \
	" %s AS precision"                                                                       \
	" FROM joinpoint JOIN field ON field.id = joinpoint.field"                               \
	" JOIN function ON function.id = joinpoint.function"                                     \
	" JOIN file ON file.id = joinpoint.file"                                                 \
	" LEFT JOIN macro ON macro.id = joinpoint.macro"                                         \
	" LEFT JOIN shadow ON shadow.joinpoint = joinpoint.id AND shadow.chosen = %d"            \
	" LEFT JOIN symbol ON symbol.id = shadow.symbol;"

#endif /* WV_SCHEMA_H */
