// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares what the database has of accesses with the instructions, in the code of all units of C
 * or of those named. Usage: machine VMLINUX FACTS [FILE.c...]. FACTS has lines of facts.awk:
 *
 *   tree FILE:LINE FIRST SIZE KIND MEMBER     an access of the trees; bytes in its object
 *   shadow OFFSET JOINPOINT EFFECT            an exact shadow; offsets count from _text
 *   label OFFSET                              any other instruction that the database explains
 *   member JOINPOINT FIRST SIZE MEMBER        the bytes that a joinpoint accesses
 *   servant JOINPOINT OFFSET VALUE            of a coalesced joinpoint; VALUE is `new` if it gets
 *                                             what a read-modify-write leaves in memory
 *   gone JOINPOINT FILE:LINE                  it is dead, in registers or constant
 *   derived JOINPOINT KIND                    an operation does it through an address
 *
 * Prints figures for report.awk, differences, and for the pointcuts and the sample
 *
 *   memory ADDRESS DISPLACEMENT WIDTH EFFECT LOCKED EXPLAINED MEMBERS OFFSET FILE:LINE
 *
 * for each instruction that accesses memory through a pointer: its operand is not on the stack, not
 * in a segment, not relative to rip, and not in a table. MEMBERS are those that the trees have at
 * its line, or at the line of a call that was inlined around it, with this displacement, width and
 * effect; or `-`. OFFSET counts from _text.
 */
#define _GNU_SOURCE /* Declares hsearch_r(), which allows several hash tables. */
#include <capstone/capstone.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

#define STATEMENT_LINES 8 /* How many lines a statement may have after its first one. */

enum effect { LOAD = 1, STORE = 2, BOTH = 3 };
static const char *const effect_names[] = { "-", "load", "store", "rmw" };

/* The accesses of the syntax trees. Those of one line are linked by .next. */
struct tree {
	const struct tree *next; /* The next access of the same line. */
	long long first, size; /* The first byte of the member, and its number of bytes. */
	char kind; /* The first letter of the kind; x is an asm's. */
	const char *member; /* The name of the member. */
};

struct shadow {
	unsigned long long offset; /* The instruction, counted from _text. */
	unsigned int joinpoint; /* The number of the joinpoint. */
	enum effect effect; /* 0 if the database only explains the instruction. */
	/* The instruction is not a shadow, but the servant of a coalesced joinpoint. */
	bool serves;
	bool serves_new; /* The servant must have the new value of a read-modify-write. */
	bool met; /* An instruction begins there. */
};

struct bytes {
	long long first, size;
	const char *member;
};

struct operand {
	enum effect effect;
	long long displacement;
	unsigned int width;
	bool through_pointer, locked;
};

static struct hsearch_data lines;
static struct shadow *shadows;
static size_t nr_shadows, shadows_room;
static struct bytes *members;   /* For each joinpoint, its member's bytes. */
/* For each joinpoint, FILE:LINE if no instruction of it is left. */
static char **gone;
/* For each joinpoint that is derived from an address, the first letter of its kind. */
static char *derived;
static unsigned int nr_members; /* The number of elements of each of the three arrays above. */
static unsigned long long text_address;
static Elf *elf;
static csh decoder;
static unsigned long long *starts; /* The addresses of functions, ascending. */
static size_t nr_starts, starts_room;
static unsigned long long n_at_displacement, n_at_pointer;
static unsigned long long n_memory, n_explained, n_left, n_left_fit;
static unsigned long long n_shadows, n_shadows_fit;
static unsigned long long n_servants, n_servants_fit, n_servants_named, n_servants_old;
static unsigned long long n_derived, n_derived_fit, n_gone, n_gone_refuted;

static void *grown(void *items, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return items;
	*room = *room ? 2 * *room : 4096;
	items = realloc(items, *room * size);
	if (!items)
		err(1, "memory");
	return items;
}

static const struct tree *tree_at(const char *place)
{
	ENTRY wanted = { .key = (char *)place }, *found;

	return hsearch_r(wanted, FIND, &found, &lines) ? found->data : NULL;
}

static void add_tree(const char *place, const struct tree *access)
{
	ENTRY entry = { .key = (char *)place }, *found;
	struct tree *tree = malloc(sizeof(*tree));

	*tree = *access;
	tree->member = strdup(access->member);
	if (hsearch_r(entry, FIND, &found, &lines)) {
		tree->next = found->data;
		found->data = tree;
		return;
	}
	entry.key = strdup(place);
	entry.data = tree;
	tree->next = NULL;
	if (!hsearch_r(entry, ENTER, &found, &lines))
		err(1, "memory");
}

static void make_room_for(unsigned int joinpoint)
{
	unsigned int more = joinpoint < 400000 ? 400000 : 2 * joinpoint;

	if (joinpoint < nr_members)
		return;
	members = realloc(members, more * sizeof(*members));
	gone = realloc(gone, more * sizeof(*gone));
	derived = realloc(derived, more);
	memset(members + nr_members, 0, (more - nr_members) * sizeof(*members));
	memset(gone + nr_members, 0, (more - nr_members) * sizeof(*gone));
	memset(derived + nr_members, 0, more - nr_members);
	nr_members = more;
}

static void add_shadow(unsigned long long offset, unsigned int joinpoint, enum effect effect,
		       bool serves)
{
	make_room_for(joinpoint);
	shadows = grown(shadows, nr_shadows, &shadows_room, sizeof(*shadows));
	shadows[nr_shadows++] = (struct shadow){ .offset = offset,
						  .joinpoint = joinpoint,
						  .effect = effect,
						  .serves = serves };
}

static void read_fact(const char *line)
{
	unsigned long long offset;
	unsigned int joinpoint;
	char place[512], word[256];
	struct tree tree;
	struct bytes bytes;

	if (sscanf(line, "tree %511s %lld %lld %c%*s %255s", place, &tree.first, &tree.size,
		   &tree.kind, word) == 5) {
		tree.member = word;
		add_tree(place, &tree);
	} else if (sscanf(line, "shadow %llu %u %255s", &offset, &joinpoint, word) == 3) {
		add_shadow(offset, joinpoint,
			   *word == 'l' ? LOAD : *word == 's' ? STORE : *word == 'r' ? BOTH : 0,
			   false);
	} else if (sscanf(line, "label %llu", &offset) == 1) {
		add_shadow(offset, 0, 0, false);
	} else if (sscanf(line, "member %u %lld %lld %255s", &joinpoint, &bytes.first,
			  &bytes.size, word) == 4) {
		make_room_for(joinpoint);
		bytes.member = strdup(word);
		members[joinpoint] = bytes;
	} else if (sscanf(line, "servant %u %llu %255s", &joinpoint, &offset, word) == 3) {
		add_shadow(offset, joinpoint, BOTH, true);
		shadows[nr_shadows - 1].serves_new = !strcmp(word, "new");
	} else if (sscanf(line, "gone %u %511s", &joinpoint, place) == 2) {
		make_room_for(joinpoint);
		gone[joinpoint] = strdup(place);
	} else if (sscanf(line, "derived %u %255s", &joinpoint, word) == 2) {
		make_room_for(joinpoint);
		derived[joinpoint] = *word;
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct shadow *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_number(const void *a, const void *b)
{
	unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;

	return x < y ? -1 : x > y;
}

static void read_symbols(void)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		gelf_getshdr(section, &header);
		if (header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (name && !strcmp(name, "_text"))
				text_address = symbol.st_value;
			if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
				continue;
			starts = grown(starts, nr_starts, &starts_room, sizeof(*starts));
			starts[nr_starts++] = symbol.st_value;
		}
	}
	qsort(starts, nr_starts, sizeof(*starts), by_number);
}

/* Returns the code at an address, or NULL if the image has none there. */
static const unsigned char *bytes_at(unsigned long long address, size_t size)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		gelf_getshdr(section, &header);
		if (header.sh_type == SHT_PROGBITS && header.sh_flags & SHF_EXECINSTR &&
		    address >= header.sh_addr && address + size <= header.sh_addr + header.sh_size)
			return (const unsigned char *)elf_rawdata(section, NULL)->d_buf +
			       (address - header.sh_addr);
	}
	return NULL;
}

/*
 * Returns what an instruction does to a memory operand, by its mnemonic and the operand's position.
 */
static enum effect effect_of(const cs_insn *insn, unsigned int operand)
{
	switch (insn->id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_BT:
	case X86_INS_PUSH:
	case X86_INS_CALL:
	case X86_INS_JMP:
	case X86_INS_MUL:
	case X86_INS_IMUL:
	case X86_INS_DIV:
	case X86_INS_IDIV:
		return LOAD;
	case X86_INS_XCHG:
	case X86_INS_XADD:
	case X86_INS_CMPXCHG:
	case X86_INS_CMPXCHG8B:
	case X86_INS_CMPXCHG16B:
		return BOTH;
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_POP:
	case X86_INS_MOVNTI:
		return operand == 0 ? STORE : LOAD;
	case X86_INS_LEA:
	case X86_INS_NOP:
	case X86_INS_PREFETCHT0:
	case X86_INS_PREFETCHW:
	case X86_INS_PREFETCHNTA:
		return 0;
	default:
		if (insn->id >= X86_INS_SETAE && insn->id <= X86_INS_SETS)
			return STORE;
		return operand == 0 && insn->detail->x86.op_count != 1 ?
			       (!strncmp(insn->mnemonic, "mov", 3) ? LOAD : BOTH) :
		       insn->detail->x86.op_count == 1 ? BOTH :
							 LOAD;
	}
}

static bool operand_of(const cs_insn *insn, bool frame_in_rbp, struct operand *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (unsigned int i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		if (op->type != X86_OP_MEM)
			continue;
		ret->effect = effect_of(insn, i);
		ret->displacement = op->mem.disp;
		ret->width = op->size;
		ret->locked = x86->prefix[0] == X86_PREFIX_LOCK || insn->id == X86_INS_XCHG;
		ret->through_pointer = op->mem.base != X86_REG_INVALID &&
				       op->mem.base != X86_REG_RSP && op->mem.base != X86_REG_RIP &&
				       !(op->mem.base == X86_REG_RBP && frame_in_rbp) &&
				       op->mem.segment == X86_REG_INVALID &&
				       !(op->mem.index != X86_REG_INVALID &&
					 (op->mem.disp < -0x10000 || op->mem.disp > 0x1000000));
		return ret->effect != 0;
	}
	return false;
}

/*
 * Returns whether an operand touches a member's bytes; both count from the beginning of the object.
 */
static bool touches(const struct operand *operand, const struct bytes *bytes)
{
	return operand->displacement < bytes->first + bytes->size &&
	       bytes->first < operand->displacement + (long long)operand->width;
}

static bool fits(const struct tree *tree, const struct operand *operand)
{
	struct bytes bytes = { tree->first, tree->size, tree->member };

	if (tree->size > 8)
		return false;
	/* Another function does the access through the address, and may access only a part. */
	if (tree->kind == 'a')
		return touches(operand, &bytes) && operand->width <= tree->size;
	if (tree->first != operand->displacement || tree->size != operand->width)
		return false;
	switch (tree->kind) {
	case 'g':
	case 'c':
		return operand->effect & LOAD;
	case 's':
		return operand->effect & STORE;
	default:
		return true;
	}
}

struct fitting {
	const struct operand *operand;
	char names[512];
};

static void add_fitting(const char *place, void *data)
{
	struct fitting *fitting = data;

	for (const struct tree *tree = tree_at(place); tree; tree = tree->next) {
		size_t used = strlen(fitting->names);

		if (fits(tree, fitting->operand) && !strstr(fitting->names, tree->member))
			snprintf(fitting->names + used, sizeof(fitting->names) - used, "%s%s",
				 used ? "," : "", tree->member);
	}
}

/* A search for a member in the lines of a statement. */
struct naming {
	const char *member;
	bool is_there;
};

static void find_in_line(const char *place, struct naming *naming)
{
	for (const struct tree *tree = tree_at(place); tree && !naming->is_there; tree = tree->next)
		naming->is_there = !strcmp(tree->member, naming->member);
}

/*
 * Looks for the member in the lines of the statement that begins at @place. The line in DWARF is
 * where the statement begins; the trees have the member's line, which may come later.
 */
static void find_member(const char *place, void *data)
{
	const char *colon = strrchr(place, ':');
	struct naming *naming = data;
	char line[512];

	find_in_line(place, naming);
	for (int i = 1; colon && i <= STATEMENT_LINES && !naming->is_there; i++) {
		snprintf(line, sizeof(line), "%.*s:%d", (int)(colon - place), place,
			 atoi(colon + 1) + i);
		find_in_line(line, naming);
	}
}

/*
 * Returns whether the trees have the member @member in the statement of the instruction at
 * @address, whose line is @place, or in that of a call that was inlined around the instruction.
 */
static bool is_named(unsigned long long address, const char *place, const char *member)
{
	struct naming naming = { member, false };

	find_member(place, &naming);
	tr_source_calls(address, find_member, &naming);
	return naming.is_there;
}

/*
 * Returns whether this instruction can be the access of a member. It must have a memory operand
 * with @effect. An operand that does not go through a pointer is always accepted. One that goes
 * through a pointer must touch the member's bytes or have the member's width. The width alone is
 * enough, since the pointer may be to an enclosing struct, where the member has another offset.
 * Neither is required if the syntax trees have the member in the instruction's source lines
 * (@named), since the compiler may access only a part of the member, or more than the member.
 */
static bool may_access(const struct operand *operand, enum effect effect,
		       const struct bytes *bytes, bool named)
{
	return operand && operand->effect & effect &&
	       (!operand->through_pointer || touches(operand, bytes) ||
		operand->width == bytes->size || named);
}

static void differ(const struct shadow *shadow, unsigned long long address, const char *how)
{
	printf("difference %s%s %llx joinpoint %u\n", shadow->serves ? "servant" : "shadow", how,
	       address, shadow->joinpoint);
}

static void look_at_servant(const struct shadow *servant, const struct operand *operand,
			    unsigned long long address, const char *place)
{
	const struct bytes *bytes = &members[servant->joinpoint];
	bool named = is_named(address, place, bytes->member);
	bool fits = may_access(operand, BOTH, bytes, named);
	bool old = fits && servant->serves_new && operand->effect == LOAD;

	n_servants++;
	n_servants_named += named;
	n_servants_fit += fits;
	n_servants_old += old;
	if (!fits || !named || old)
		differ(servant, address, !fits ? "" : old ? "-old" : "-line");
}

static void look_at_shadow(struct shadow *shadow, const struct operand *operand,
			   unsigned long long address, const char *place)
{
	const struct bytes *bytes = &members[shadow->joinpoint];
	bool fits;

	shadow->met = true;
	if (shadow->effect && bytes->size && shadow->serves) {
		look_at_servant(shadow, operand, address, place);
		return;
	}
	if (shadow->effect && bytes->size) {
		fits = may_access(operand, shadow->effect, bytes,
				  is_named(address, place, bytes->member));
		n_shadows++;
		n_shadows_fit += fits;
		if (!fits)
			differ(shadow, address, "");
		if (operand && operand->through_pointer) {
			n_at_pointer++;
			n_at_displacement += touches(operand, bytes);
		}
	}
	if (derived[shadow->joinpoint] && shadow->effect && !shadow->serves) {
		char kind = derived[shadow->joinpoint];

		fits = operand && operand->effect & (kind == 'g' ? LOAD : STORE);
		n_derived++;
		n_derived_fit += fits;
		if (!fits)
			printf("difference derived %llx joinpoint %u\n", address,
			       shadow->joinpoint);
	}
}

/* Notes an instruction that looks like an access, and that nothing in the database explains. */
static void note_left(const char *place, long long displacement)
{
	char key[600];
	ENTRY entry = { .key = key }, *found;

	snprintf(key, sizeof(key), "%s#%lld", place, displacement);
	if (hsearch_r(entry, FIND, &found, &lines))
		return;
	entry.key = strdup(key);
	if (!hsearch_r(entry, ENTER, &found, &lines))
		err(1, "memory");
}

/*
 * An access with the fate dead, in registers or constant must have no instruction in its line that
 * looks like an access of its member (note_left()).
 */
static void look_at_gone(void)
{
	char key[600];

	for (unsigned int i = 0; i < nr_members; i++) {
		ENTRY entry = { .key = key }, *found;

		if (!gone[i] || !members[i].size)
			continue;
		n_gone++;
		snprintf(key, sizeof(key), "%s#%lld", gone[i], members[i].first);
		if (hsearch_r(entry, FIND, &found, &lines)) {
			n_gone_refuted++;
			printf("difference gone %s joinpoint %u\n", gone[i], i);
		}
	}
}

static void look_at(const cs_insn *insn, bool frame_in_rbp, const char *place)
{
	unsigned long long offset = insn->address - text_address;
	struct shadow wanted = { .offset = offset }, *shadow;
	struct operand operand;
	struct fitting fitting = { .operand = &operand };
	bool has = operand_of(insn, frame_in_rbp, &operand), explained = false;

	shadow = bsearch(&wanted, shadows, nr_shadows, sizeof(*shadows), by_offset);
	while (shadow && shadow > shadows && shadow[-1].offset == offset)
		shadow--;
	for (; shadow && shadow < shadows + nr_shadows && shadow->offset == offset; shadow++) {
		look_at_shadow(shadow, has ? &operand : NULL, insn->address, place);
		explained = explained || !shadow->serves;
	}
	if (!has || !operand.through_pointer)
		return;
	add_fitting(place, &fitting);
	tr_source_calls(insn->address, add_fitting, &fitting);
	n_memory++;
	n_explained += explained;
	n_left += !explained;
	n_left_fit += !explained && *fitting.names;
	if (!explained && *fitting.names)
		note_left(place, operand.displacement);
	printf("memory %llx %lld %u %s %d %d %s %llu %s\n", (unsigned long long)insn->address,
	       operand.displacement, operand.width, effect_names[operand.effect], operand.locked,
	       explained, *fitting.names ? fitting.names : "-", offset, place);
}

static bool begins_function(unsigned long long address)
{
	return bsearch(&address, starts, nr_starts, sizeof(*starts), by_number);
}

static void look_at_range(unsigned long long from, unsigned long long to)
{
	const unsigned char *code = bytes_at(from, to - from);
	cs_insn *insn = cs_malloc(decoder);
	size_t left = to - from;
	uint64_t address = from;
	bool frame = false;
	char place[512];

	while (code && left) {
		if (begins_function(address))
			frame = false;
		if (!cs_disasm_iter(decoder, &code, &left, &address, insn)) {
			code++;
			left--;
			address++;
			continue;
		}
		if (insn->id == X86_INS_MOV && !strcmp(insn->op_str, "rbp, rsp"))
			frame = true;
		tr_source_place(insn->address, place, sizeof(place));
		look_at(insn, frame, place);
	}
	cs_free(insn, 1);
}

/* Reports shadows and servants in the range at which no instruction begins. */
static void look_for_unmet(unsigned long long from, unsigned long long to)
{
	size_t low = 0, high = nr_shadows;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (text_address + shadows[middle].offset < from)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i < nr_shadows; i++) {
		unsigned long long at = text_address + shadows[i].offset;

		if (at >= to)
			break;
		if (shadows[i].met || !shadows[i].effect)
			continue;
		if (shadows[i].serves)
			n_servants += members[shadows[i].joinpoint].size != 0;
		else
			n_shadows++;
		differ(&shadows[i], at, "-nowhere");
	}
}

static bool is_asked(const char *unit, char **files, int n)
{
	size_t length = strlen(unit);

	for (int i = 0; i < n; i++) {
		if (!strcmp(unit, files[i]))
			return true;
	}
	return !n && length > 2 && !strcmp(unit + length - 2, ".c");
}

static void look_at_unit(Dwarf_Die *unit)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	if (!tr_source_read(unit))
		return;
	while ((at = dwarf_ranges(unit, at, &base, &from, &to)) > 0) {
		look_at_range(from, to);
		look_for_unmet(from, to);
	}
}

int main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	FILE *facts = dwarf ? fopen(argv[2], "r") : NULL;
	Dwarf_Off at = 0, next;
	char *line = NULL;
	size_t size, header;

	if (!facts || cs_open(CS_ARCH_X86, CS_MODE_64, &decoder) ||
	    cs_option(decoder, CS_OPT_DETAIL, CS_OPT_ON) || !hcreate_r(1 << 20, &lines))
		errx(2, "usage: machine VMLINUX FACTS [FILE.c...]");
	elf = dwarf_getelf(dwarf);
	make_room_for(0);
	while (getline(&line, &size, facts) > 0)
		read_fact(line);
	read_symbols();
	qsort(shadows, nr_shadows, sizeof(*shadows), by_offset);
	for (; !dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL); at = next) {
		Dwarf_Die unit;

		if (dwarf_offdie(dwarf, at + header, &unit) && dwarf_diename(&unit) &&
		    is_asked(dwarf_diename(&unit), argv + 3, argc - 3))
			look_at_unit(&unit);
	}
	look_at_gone();
	printf("figure memory-explained %llu %llu\n", n_explained, n_memory);
	printf("figure left-no-member %llu %llu\n", n_left - n_left_fit, n_left);
	printf("figure shadows-fit %llu %llu\n", n_shadows_fit, n_shadows);
	printf("figure shadows-at-displacement %llu %llu\n", n_at_displacement, n_at_pointer);
	printf("figure servants-fit %llu %llu\n", n_servants_fit, n_servants);
	printf("figure servants-named %llu %llu\n", n_servants_named, n_servants);
	printf("figure servants-value %llu %llu\n", n_servants - n_servants_old, n_servants);
	printf("figure operations-fit %llu %llu\n", n_derived_fit, n_derived);
	printf("figure gone-true %llu %llu\n", n_gone - n_gone_refuted, n_gone);
	return 0;
}
