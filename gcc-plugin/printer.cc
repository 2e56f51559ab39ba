// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The printer's heart is a line of pending bytes: they are printed many to a directive, because the
 * assembler's time goes by directives.
 */
#include "gcc-compat.h"
#include "printer.h"
#include "table.h"

#define PENDING_MAX 48

#define UNIT_BEGIN "weft_unit_begin"
#define UNIT_END "weft_unit_end"

static unsigned char pending[PENDING_MAX];
static unsigned pending_count;

static void flush(void)
{
	if (!pending_count)
		return;
	fputs("\t.byte\t", asm_out_file);
	for (unsigned i = 0; i < pending_count; i++)
		fprintf(asm_out_file, i ? ",%u" : "%u", pending[i]);
	putc('\n', asm_out_file);
	pending_count = 0;
}

static void print_byte(unsigned char byte)
{
	if (pending_count == PENDING_MAX)
		flush();
	pending[pending_count++] = byte;
}

void wp_print_bytes(const wp_bytes &bytes)
{
	for (unsigned i = 0; i < bytes.length(); i++)
		print_byte(bytes[i]);
}

static void print_label(int label)
{
	char name[64];

	ASM_GENERATE_INTERNAL_LABEL(name, "L", (unsigned)label);
	assemble_name_raw(asm_out_file, name);
}

void wp_print_address(int label)
{
	flush();
	fputs(POINTER_SIZE_UNITS == 8 ? "\t.quad\t" : "\t.long\t", asm_out_file);
	print_label(label);
	putc('\n', asm_out_file);
}

void wp_print_distance(int from, int to)
{
	flush();
	fputs("\t.uleb128 ", asm_out_file);
	print_label(to);
	putc('-', asm_out_file);
	print_label(from);
	putc('\n', asm_out_file);
}

void wp_print_begin(void)
{
	switch_to_section(get_section(WEFT_TABLE_SECTION, SECTION_DEBUG, NULL));
	for (const char *c = WEFT_TABLE_MAGIC; *c; c++)
		print_byte(*c);
	print_byte(WEFT_TABLE_VERSION);
	print_byte(POINTER_SIZE_UNITS);
	print_byte(0);
	print_byte(0);
	flush();
	fprintf(asm_out_file, "\t.long\t%s%s-%s%s\n%s%s:\n", LOCAL_LABEL_PREFIX, UNIT_END,
		LOCAL_LABEL_PREFIX, UNIT_BEGIN, LOCAL_LABEL_PREFIX, UNIT_BEGIN);
}

void wp_print_end(void)
{
	flush();
	fprintf(asm_out_file, "%s%s:\n", LOCAL_LABEL_PREFIX, UNIT_END);
}
