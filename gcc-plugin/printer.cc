// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes are printed as strings (.ascii), which the assembler reads faster than lists of numbers. */
#include "gcc-compat.h"
#include "printer.h"
#include "runtime/joinpoint-table.h"

/* With LOCAL_LABEL_PREFIX these are names that the assembler leaves out of the symbol table. */
#define UNIT_BEGIN "Lweft_unit_begin"
#define UNIT_END "Lweft_unit_end"

static void print(const unsigned char *bytes, unsigned count)
{
	ASM_OUTPUT_ASCII(asm_out_file, (const char *)bytes, count);
}

void wp_print_bytes(const wp_bytes &bytes)
{
	print(bytes.address(), bytes.length());
}

static void print_label(int label)
{
	char name[64];

	ASM_GENERATE_INTERNAL_LABEL(name, "L", (unsigned)label);
	assemble_name_raw(asm_out_file, name);
}

void wp_print_address(int label)
{
	fputs(POINTER_SIZE_UNITS == 8 ? "\t.quad\t" : "\t.long\t", asm_out_file);
	print_label(label);
	putc('\n', asm_out_file);
}

void wp_print_distance(int from, int to)
{
	fputs("\t.uleb128 ", asm_out_file);
	print_label(to);
	putc('-', asm_out_file);
	print_label(from);
	putc('\n', asm_out_file);
}

void wp_print_begin(void)
{
	const unsigned char version[] = { WEFT_TABLE_VERSION, POINTER_SIZE_UNITS, 0, 0 };

	switch_to_section(get_section(WEFT_TABLE_SECTION, SECTION_DEBUG, NULL));
	print((const unsigned char *)WEFT_TABLE_MAGIC, strlen(WEFT_TABLE_MAGIC));
	print(version, sizeof(version));
	fprintf(asm_out_file, "\t.long\t%s%s-%s%s\n%s%s:\n", LOCAL_LABEL_PREFIX, UNIT_END,
		LOCAL_LABEL_PREFIX, UNIT_BEGIN, LOCAL_LABEL_PREFIX, UNIT_BEGIN);
}

void wp_print_end(void)
{
	fprintf(asm_out_file, "%s%s:\n", LOCAL_LABEL_PREFIX, UNIT_END);
}
