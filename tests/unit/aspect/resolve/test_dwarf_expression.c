// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests aspect/resolve/dwarf-expression.c: DWARF expressions, written by hand from the standard,
 * must become the C that they mean. Also tests x86/decode.c: memory operands must be those of the
 * processor's manual.
 */
#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/frame.h"
#include "aspect/resolve/dwarf-expression.h"
#include "x86/decode.h"
#include "cmocka-all.h"

#define TEXT 0xffffffff81000000

static const struct wv_cfa cfa = { .known = true, .reg = 7, .offset = 0x20 };

struct expression {
	const uint8_t bytes[64]; /* The expression. */
	size_t size; /* The number of bytes. */
	enum wv_found_kind kind; /* What must be found. */
	const char *text; /* The C, or parts of reasons for a failure: a|b means a or b. */
	uint32_t registers; /* The registers that the C needs, as WR_BIT()s. */
	bool at_entry, no_cfa; /* The shadow is at the entry; the frame address is unknown. */
};

#define E(...) .bytes = { __VA_ARGS__ }, .size = sizeof((uint8_t[]){ __VA_ARGS__ })

static const struct expression expressions[] = {
	/* DWARF has its own numbers of registers: rdx is 1, rcx 2, rsi 4, rdi 5. */
	{ E(DW_OP_reg1), .kind = WV_FOUND_VALUE, .text = "wr_reg(weft, WR_RDX)",
	  .registers = WR_BIT(WR_RDX) },
	{ E(DW_OP_reg5), .kind = WV_FOUND_VALUE, .text = "wr_reg(weft, WR_RDI)",
	  .registers = WR_BIT(WR_RDI) },
	{ E(DW_OP_regx, 12), .kind = WV_FOUND_VALUE, .text = "wr_reg(weft, WR_R12)",
	  .registers = WR_BIT(WR_R12) },
	{ E(DW_OP_reg17), .kind = WV_FOUND_NOT, .text = "does not keep|do not keep" },
	{ E(DW_OP_breg3, 0x78), .kind = WV_FOUND_MEMORY, .text = "(wr_reg(weft, WR_RBX) - 0x8)",
	  .registers = WR_BIT(WR_RBX) },
	{ E(DW_OP_fbreg, 0x68), .kind = WV_FOUND_MEMORY, .text = "(wr_reg(weft, WR_RSP) + 0x8)",
	  .registers = WR_BIT(WR_RSP) },
	{ E(DW_OP_fbreg, 0x60), .kind = WV_FOUND_MEMORY, .text = "wr_reg(weft, WR_RSP)",
	  .registers = WR_BIT(WR_RSP) },
	{ E(DW_OP_fbreg, 0x68), .kind = WV_FOUND_NOT, .text = "does not describe the frame",
	  .no_cfa = true },
	{ E(DW_OP_breg7, 24, DW_OP_deref, DW_OP_plus_uconst, 8), .kind = WV_FOUND_MEMORY,
	  .text = "(wr_load((wr_reg(weft, WR_RSP) + 0x18), 8) + 0x8)",
	  .registers = WR_BIT(WR_RSP) },
	{ E(DW_OP_lit5, DW_OP_stack_value), .kind = WV_FOUND_VALUE, .text = "0x5UL" },
	{ E(DW_OP_const1s, 0xff, DW_OP_stack_value), .kind = WV_FOUND_VALUE,
	  .text = "0xffffffffffffffffUL" },
	{ E(DW_OP_breg0, 0, DW_OP_breg1, 1, DW_OP_minus, DW_OP_stack_value), .kind = WV_FOUND_VALUE,
	  .text = "(unsigned long)(wr_reg(weft, WR_RAX) - (wr_reg(weft, WR_RDX) + 0x1))",
	  .registers = WR_BIT(WR_RAX) | WR_BIT(WR_RDX) },
	{ E(DW_OP_addr, 0x40, 0, 0, 0x81, 0xff, 0xff, 0xff, 0xff), .kind = WV_FOUND_MEMORY,
	  .text = "wr_live(weft, 0x40)" },
	{ E(DW_OP_addr, 0x40, 0, 0, 0, 0, 0, 0, 0), .kind = WV_FOUND_NOT, .text = "per-CPU" },
	{ E(DW_OP_entry_value, 1, DW_OP_reg4, DW_OP_stack_value), .kind = WV_FOUND_VALUE,
	  .text = "wr_reg(weft, WR_RSI)", .registers = WR_BIT(WR_RSI), .at_entry = true },
	{ E(DW_OP_entry_value, 1, DW_OP_reg4, DW_OP_stack_value), .kind = WV_FOUND_NOT,
	  .text = "function's entry" },
	{ E(DW_OP_reg0, DW_OP_piece, 4, DW_OP_reg1, DW_OP_piece, 4), .kind = WV_FOUND_VALUE,
	  .text = "(wr_reg(weft, WR_RAX) & 0xffffffffUL) << 0 | (wr_reg(weft, WR_RDX) & "
		  "0xffffffffUL) << 32",
	  .registers = WR_BIT(WR_RAX) | WR_BIT(WR_RDX) },
	{ E(DW_OP_reg0, DW_OP_piece, 4, DW_OP_piece, 4), .kind = WV_FOUND_NOT,
	  .text = "removed a part" },
	{ E(DW_OP_implicit_pointer, 0, 0, 0, 0, 0), .kind = WV_FOUND_NOT,
	  .text = "points to something" },
	{ E(DW_OP_implicit_value, 2, 0x34, 0x12), .kind = WV_FOUND_VALUE, .text = "0x1234UL" },
	/* Damaged expressions are refused. */
	{ E(DW_OP_plus), .kind = WV_FOUND_NOT, .text = "damaged" },
	{ E(DW_OP_const4u, 1), .kind = WV_FOUND_NOT, .text = "damaged" },
	{ E(DW_OP_swap), .kind = WV_FOUND_NOT, .text = "damaged" },
	{ E(0x00), .kind = WV_FOUND_NOT, .text = "damaged" },
	/* An operation that GCC writes for no variable is refused. */
	{ E(DW_OP_lit5, DW_OP_lit1, DW_OP_div), .kind = WV_FOUND_NOT, .text = "does not know" },
	/* An expression whose stack grows beyond the limit is refused. */
	{ .bytes = { [0 ... 63] = DW_OP_lit1 },
	  .size = 64,
	  .kind = WV_FOUND_NOT,
	  .text = "too long" },
	{ .size = 0, .kind = WV_FOUND_NOT, .text = "no location here" },
};

enum { NR_EXPRESSIONS = sizeof(expressions) / sizeof(*expressions) };

/* ---- an image whose one unit has a variable for each expression ------------------------------ */

#define UNIT_HEADER 12 /* In DWARF 5: length, version, type, address size, abbreviations. */

static const uint8_t abbreviations[] = {
	1, DW_TAG_compile_unit, DW_CHILDREN_yes, DW_AT_frame_base, DW_FORM_exprloc, 0, 0,
	2, DW_TAG_variable, DW_CHILDREN_no, DW_AT_location, DW_FORM_exprloc, 0, 0,
	0,
};

static uint8_t info[UNIT_HEADER + 64 * NR_EXPRESSIONS];
static Dwarf_Attribute frame_base, locations[NR_EXPRESSIONS];
static Dwarf *dwarf;
static Elf *elf;

static size_t write_info(void)
{
	static const uint8_t header[] = { 5, 0, DW_UT_compile, sizeof(uint64_t) };
	uint8_t *at = info + UNIT_HEADER;
	uint32_t length;

	*at++ = 1;
	*at++ = 1;
	*at++ = DW_OP_call_frame_cfa;
	for (size_t i = 0; i < NR_EXPRESSIONS; i++) {
		*at++ = 2;
		*at++ = expressions[i].size;
		memcpy(at, expressions[i].bytes, expressions[i].size);
		at += expressions[i].size;
	}
	*at++ = 0;
	length = at - info - sizeof(length);
	memcpy(info, &length, sizeof(length));
	memcpy(info + sizeof(length), header, sizeof(header));
	return at - info;
}

static void add_section(uint32_t name, uint32_t type, const void *bytes, size_t size)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf64_Shdr *header = elf64_getshdr(section);
	Elf_Data *data = elf_newdata(section);

	*header = (Elf64_Shdr){ .sh_name = name, .sh_type = type };
	data->d_buf = (void *)bytes;
	data->d_size = size;
	data->d_align = 1;
}

static int make_image(void **state)
{
	static const char names[] = "\0.debug_abbrev\0.debug_info\0.shstrtab";
	int fd = memfd_create("image", 0);
	Elf64_Ehdr *header;
	Dwarf_Die die;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	header = elf64_newehdr(elf);
	header->e_type = ET_EXEC;
	header->e_machine = EM_X86_64;
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	add_section(1, SHT_PROGBITS, abbreviations, sizeof(abbreviations));
	add_section(1 + sizeof(".debug_abbrev"), SHT_PROGBITS, info, write_info());
	add_section(1 + sizeof(".debug_abbrev") + sizeof(".debug_info"), SHT_STRTAB, names,
		    sizeof(names));
	header->e_shstrndx = 3;
	if (elf_update(elf, ELF_C_WRITE) < 0)
		return -1;
	elf_end(elf);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	close(fd);
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dwarf_offdie(dwarf, UNIT_HEADER, &die) ||
	    !dwarf_attr(&die, DW_AT_frame_base, &frame_base) || dwarf_child(&die, &die))
		return -1;
	for (size_t i = 0; i < NR_EXPRESSIONS; i++)
		if (!dwarf_attr(&die, DW_AT_location, &locations[i]) ||
		    dwarf_siblingof(&die, &die) != (i == NR_EXPRESSIONS - 1))
			return -1;
	return 0;
}

static int close_image(void **state)
{
	dwarf_end(dwarf);
	elf_end(elf);
	return 0;
}

/* ---- the tests of expressions and of memory operands ----------------------------------------- */

static bool says(const char *why, const char *parts)
{
	char copy[128], *part, *rest = copy;

	snprintf(copy, sizeof(copy), "%s", parts);
	while ((part = strsep(&rest, "|")))
		if (strstr(why, part))
			return true;
	return false;
}

static void test_expressions(void **state)
{
	for (size_t i = 0; i < NR_EXPRESSIONS; i++) {
		const struct expression *one = &expressions[i];
		const struct wv_expression_input input = {
			.text = TEXT, .at_entry = one->at_entry, .cfa = one->no_cfa ? NULL : &cfa,
			.frame_base = &frame_base,
		};
		struct wv_found found;

		wv_expression_compile(&input, &locations[i], &found);
		if (found.kind != one->kind)
			fail_msg("%zu: kind %d: %s %s", i, found.kind, found.text, found.why);
		if (one->kind == WV_FOUND_NOT) {
			assert_true(says(found.why, one->text));
			continue;
		}
		assert_string_equal(found.text, one->text);
		assert_int_equal(found.registers, one->registers);
	}
}

static struct wv_access access_of(const uint8_t *bytes, size_t n)
{
	struct wv_decoder *decoder;
	struct wv_access access;
	struct wv_error error;

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	assert_true(wv_decode_access(decoder, bytes, n, TEXT, &access));
	wv_decoder_destroy(decoder);
	return access;
}

#define ACCESS(...) \
	access_of((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void test_accesses(void **state)
{
	struct wv_access access = ACCESS(0x40, 0x88, 0x6b, 0x12); /* mov %bpl, 0x12(%rbx) */

	assert_int_equal(access.base, WR_RBX);
	assert_int_equal(access.index, WV_NO_REGISTER);
	assert_int_equal(access.displacement, 0x12);
	assert_int_equal(access.size, 1);
	assert_true(access.writes && !access.reads);
	assert_int_equal(access.store, WV_STORE_MOVE);
	assert_int_equal(access.source, WR_RBP);

	/* movl $-1, 0x10(%rdi,%rcx,4) */
	access = ACCESS(0xc7, 0x44, 0x8f, 0x10, 0xff, 0xff, 0xff, 0xff);
	assert_int_equal(access.base, WR_RDI);
	assert_int_equal(access.index, WR_RCX);
	assert_int_equal(access.scale, 4);
	assert_int_equal(access.size, 4);
	assert_int_equal(access.source, WV_NO_REGISTER);
	assert_int_equal((int32_t)access.immediate, -1);

	access = ACCESS(0x88, 0x67, 0x01); /* mov %ah, 1(%rdi) */
	assert_int_equal(access.source, WR_RAX);
	assert_int_equal(access.shift, 8);

	access = ACCESS(0x80, 0x4e, 0x03, 0x40); /* orb $0x40, 3(%rsi) */
	assert_int_equal(access.store, WV_STORE_OR);
	assert_int_equal(access.immediate, 0x40);
	assert_true(access.reads && access.writes);

	access = ACCESS(0x48, 0x8b, 0x05, 0x10, 0, 0, 0); /* mov 0x10(%rip), %rax */
	assert_true(access.relative && access.reads && !access.writes);
	assert_int_equal(access.address, TEXT + 7 + 0x10);
	assert_int_equal(access.size, 8);

	access = ACCESS(0x0f, 0x11, 0x07); /* movups %xmm0, (%rdi) */
	assert_int_equal(access.store, WV_STORE_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_accesses),
	};

	return cmocka_run_group_tests(tests, make_image, close_image);
}
