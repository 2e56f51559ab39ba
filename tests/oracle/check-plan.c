// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks planned displaced ranges against objdump and the kernel's own tables, without any code of
 * the weaver. Usage: check-plan VMLINUX PLAN together|alone <objdump -d's output. Instructions and
 * the targets of branches are those that objdump prints, of all executable sections. The tables
 * that the kernel looks up by address, and every relocation by which data or an operand holds an
 * address in text, are read from the file by <elf.h>.
 *
 * For each line of PLAN (plan-dump.c), the displaced range must be whole instructions. No branch
 * may lead into it, except to its first byte. Only its last instruction may be a call or not
 * continue at the next one. It may have no endbr and no byte that the kernel rewrites. If the
 * splice is attached before the shadow, then the shadow must be a patch site or have to stay where
 * it is, control must reach it only from the displaced range, and the range must continue there. A
 * slot must be padding that nothing reaches, or be right after the jump of a donor whose range
 * passes these checks too. With "together", no two ranges, donors and slots may share a byte.
 */
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { DISPLACED_MAX = 24, INSNS_MAX = 9, JUMP = 5, SHORT_JUMP = 2, REPORTED_MOST = 20 };

/* Flags of a byte of .text. Those that say something of an instruction are at its first byte. */
enum {
	BRANCH_TARGET = 1, /* A branch leads there. */
	/* The kernel may write the byte at any time, or looks its address up in a table. */
	OWNED = 2,
	CALL = 4, /* The instruction is a call. */
	LEAVES = 8,  /* Control does not go on after it: jmp, ret. */
	STOPS = 16, /* Control may not go on after it: jmp, ret, ud2, int3, hlt, iret. */
	PADDING = 32, /* The instruction is a nop or an int3. */
	STAYS = 64, /* The instruction must not run elsewhere. */
	/*
	 * The kernel writes the byte at boot, so only a splice of a single instruction may cover
	 * it.
	 */
	BOOT = 128,
};

static const char *const staying[] = { "endbr",	  "sti",   "hlt",  "iret", "loop", "jrcxz",
				       "jecxz",	  "ud",	   "int3", "int ", "sys",  "xbegin",
				       "monitor", "mwait", "ljmp", "lcall" };

static struct {
	uint8_t *file; /* The bytes of the kernel's file. */
	const Elf64_Ehdr *header; /* The file's ELF header. */
	const Elf64_Shdr *sections; /* The file's section headers. */
	uint64_t text, size; /* Address and size of .text. */
	/*
	 * One element for each byte of .text. .lengths: at the first byte of an instruction, the
	 * instruction's length; at all other bytes 0. .flags: BRANCH_TARGET and so on, see above.
	 */
	uint8_t *lengths, *flags;
	/*
	 * For each byte of .text, the address of the displaced range, donor or slot that covers it.
	 * Only used with "together".
	 */
	uint64_t *owner;
} image;

static unsigned long wrong;

__attribute__((format(printf, 2, 3))) static void report(const char *line, const char *format, ...)
{
	va_list args;

	if (++wrong > REPORTED_MOST)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s", line);
}

static void mark(uint64_t address, uint8_t flag)
{
	if (address - image.text < image.size)
		image.flags[address - image.text] |= flag;
}

/* ---- functions that read the tables in the kernel's file ------------------------------------- */

static const char *section_name(const Elf64_Shdr *section)
{
	return (char *)image.file + image.sections[image.header->e_shstrndx].sh_offset +
	       section->sh_name;
}

static const Elf64_Shdr *find_section(const char *name)
{
	for (unsigned int i = 0; i < image.header->e_shnum; i++)
		if (!strcmp(section_name(&image.sections[i]), name))
			return &image.sections[i];
	return NULL;
}

/* Returns the bytes that are loaded at @address, or NULL. */
static const uint8_t *at_address(uint64_t address)
{
	for (unsigned int i = 0; i < image.header->e_shnum; i++) {
		const Elf64_Shdr *section = &image.sections[i];

		if ((section->sh_flags & SHF_ALLOC) && section->sh_type != SHT_NOBITS &&
		    address - section->sh_addr < section->sh_size)
			return image.file + section->sh_offset + (address - section->sh_addr);
	}
	return NULL;
}

static uint64_t symbol_value(const char *name)
{
	const Elf64_Shdr *table = find_section(".symtab");
	const Elf64_Sym *symbols = (void *)(image.file + table->sh_offset);
	const char *strings = (char *)image.file + image.sections[table->sh_link].sh_offset;

	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (!strcmp(strings + symbols[i].st_name, name))
			return symbols[i].st_value;
	return 0;
}

static uint64_t relative(uint64_t at)
{
	const uint8_t *bytes = at_address(at);
	int32_t distance = 0;

	if (bytes)
		memcpy(&distance, bytes, sizeof(distance));
	return at + distance;
}

static unsigned long read_pairs(uint64_t start, uint64_t end, size_t entry)
{
	unsigned long n = 0;

	for (uint64_t at = start; at < end; at += entry, n++) {
		mark(relative(at), OWNED);
		mark(relative(at + 4), BRANCH_TARGET);
	}
	return n;
}

static void mark_bytes(uint64_t address, unsigned int n, uint8_t flag)
{
	for (unsigned int i = 0; i < n; i++)
		mark(address + i, flag);
}

/*
 * Returns the size of struct alt_instr: 14 if all entries of that size refer to text (Linux 6.5
 * on), else 12.
 */
static unsigned int alternative_size(const Elf64_Shdr *table)
{
	for (uint64_t at = table->sh_addr; at < table->sh_addr + table->sh_size; at += 14)
		if (at + 14 > table->sh_addr + table->sh_size || !at_address(relative(at)))
			return 12;
	return 14;
}

static void read_tables(void)
{
	const Elf64_Shdr *faults = find_section("__ex_table"),
			 *alternatives = find_section(".altinstructions");
	/* Linux up to 6.7 has this section. */
	const Elf64_Shdr *paravirt = find_section(".parainstructions");
	const unsigned int alternative = alternative_size(alternatives);
	const uint64_t calls = symbol_value("__start_static_call_sites"),
		       calls_end = symbol_value("__stop_static_call_sites");
	const uint64_t hooks = symbol_value("__start_mcount_loc"),
		       hooks_end = symbol_value("__stop_mcount_loc");
	unsigned long n = read_pairs(faults->sh_addr, faults->sh_addr + faults->sh_size, 12);

	n += read_pairs(symbol_value("__start___jump_table"), symbol_value("__stop___jump_table"),
			16);
	for (uint64_t at = calls; at < calls_end; at += 8, n++)
		mark(relative(at), OWNED);
	for (uint64_t at = alternatives->sh_addr;
	     at < alternatives->sh_addr + alternatives->sh_size; at += alternative, n++)
		mark_bytes(relative(at), at_address(at)[alternative - 2], BOOT);
	for (uint64_t at = paravirt ? paravirt->sh_addr : 0;
	     paravirt && at < paravirt->sh_addr + paravirt->sh_size; at += 16, n++) {
		uint64_t where;

		memcpy(&where, at_address(at), sizeof(where));
		mark_bytes(where, at_address(at)[9], BOOT);
	}
	for (uint64_t at = hooks; at < hooks_end; at += 8, n++) {
		uint64_t where;

		memcpy(&where, at_address(at), sizeof(where));
		mark_bytes(where, JUMP, OWNED);
	}
	printf("%lu entries of the kernel's tables\n", n);
}

static void read_symbols(void)
{
	const Elf64_Shdr *table = find_section(".symtab");
	const Elf64_Sym *symbols = (void *)(image.file + table->sh_offset);

	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC ||
		    (ELF64_ST_TYPE(symbols[i].st_info) == STT_NOTYPE &&
		     ELF64_ST_BIND(symbols[i].st_info) != STB_LOCAL))
			mark(symbols[i].st_value, BRANCH_TARGET);
}

/*
 * Marks addresses in text that data (64 bits) or operands (32 bits) hold by a relocation. Leaves
 * .parainstructions out, by which control never enters text; the other tables of read_tables() hold
 * distances, or addresses of function entries.
 */
static void read_relocations(void)
{
	const Elf64_Shdr *table = find_section(".symtab");
	const Elf64_Sym *symbols = (void *)(image.file + table->sh_offset);
	unsigned long n = 0;

	for (unsigned int i = 0; i < image.header->e_shnum; i++) {
		const Elf64_Shdr *section = &image.sections[i],
				 *of = &image.sections[section->sh_info];
		const Elf64_Rela *relocations = (void *)(image.file + section->sh_offset);

		if (section->sh_type != SHT_RELA || !(of->sh_flags & SHF_ALLOC) ||
		    !strcmp(section_name(of), ".parainstructions"))
			continue;
		for (size_t j = 0; j < section->sh_size / sizeof(*relocations); j++) {
			const Elf64_Rela *one = &relocations[j];
			unsigned int type = ELF64_R_TYPE(one->r_info);

			if (type != R_X86_64_64 && type != R_X86_64_32S && type != R_X86_64_32)
				continue;
			mark(symbols[ELF64_R_SYM(one->r_info)].st_value + one->r_addend,
			     BRANCH_TARGET);
			n++;
		}
	}
	printf("%lu relocations with addresses\n", n);
}

static void open_image(const char *path)
{
	struct stat status;
	const Elf64_Shdr *text;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &status)) {
		perror(path);
		exit(1);
	}
	image.file = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	image.header = (void *)image.file;
	image.sections = (void *)(image.file + image.header->e_shoff);
	text = find_section(".text");
	image.text = text->sh_addr;
	image.size = text->sh_size;
	image.lengths = calloc(1, image.size);
	image.flags = calloc(1, image.size);
	image.owner = calloc(image.size, sizeof(*image.owner));
}

/* ---- instructions and branches are read from objdump's lines --------------------------------- */

static bool begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Skips prefixes that objdump prints as separate words. */
static const char *skip_prefixes(const char *text)
{
	static const char *const prefixes[] = {
		"lock ", "rep ", "repz ", "repnz ", "bnd ", "notrack ", "data16 ", "cs ",
		"ds ",	 "es ",	 "ss ",	  "fs ",    "gs ",  "rex.W ",	"addr32 "
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (begins(text, prefixes[i]))
			return skip_prefixes(text + strlen(prefixes[i]) +
					     strspn(text + strlen(prefixes[i]), " "));
	return text;
}

static uint8_t flags_of(const char *text)
{
	text = skip_prefixes(text);
	for (size_t i = 0; i < sizeof(staying) / sizeof(staying[0]); i++)
		if (begins(text, staying[i]))
			return begins(text, "int3") ? STAYS | STOPS | PADDING : STAYS | STOPS;
	if (begins(text, "call"))
		return CALL;
	if (begins(text, "jmp") || begins(text, "ret") || begins(text, "lret"))
		return STOPS | LEAVES;
	if (begins(text, "nop") || begins(text, "xchg   %ax,%ax"))
		return PADDING;
	return 0;
}

/* Marks the target of a direct branch or call, and an address that a lea makes relative to %rip. */
static void mark_targets(const char *text)
{
	const char *at = strstr(text, " <");
	const char *comment = strstr(text, "# ");

	if (comment && begins(skip_prefixes(text), "lea"))
		mark(strtoull(comment + 2, NULL, 16), BRANCH_TARGET);
	if (comment || !at || strchr(text, '%') || strchr(text, '*'))
		return;
	while (at > text && isxdigit((unsigned char)at[-1]))
		at--;
	mark(strtoull(at, NULL, 16), BRANCH_TARGET);
}

/*
 * Reads a line like "ffffffff81000000:\t48 8d 25 51 3f c0 00 \tlea ...". Returns whether it is one.
 */
static bool read_line(char *line)
{
	char *at, *end;
	uint64_t address = strtoull(line, &at, 16);
	unsigned int length = 0;

	if (at == line || at[0] != ':' || at[1] != '\t')
		return false;
	for (at += 2; isxdigit((unsigned char)*at); at = end + 1, length++)
		strtoul(at, &end, 16);
	at += strspn(at, " ");
	if (*at++ != '\t')
		return false;
	at[strcspn(at, "\n")] = '\0';
	mark_targets(at);
	if (address - image.text < image.size) {
		image.lengths[address - image.text] = length;
		mark(address, flags_of(at));
	}
	return true;
}

static unsigned long read_objdump(void)
{
	unsigned long n = 0;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0)
		n += read_line(line + strspn(line, " "));
	free(line);
	return n;
}

/* ---- checks of a planned displaced range ----------------------------------------------------- */

struct planned {
	uint64_t address, start, slot;
	char splice[16];
	unsigned int displaced, donor;
};

/*
 * Checks a splice that is attached before the shadow. Its displaced range ends where the shadow
 * begins, and control must reach the shadow only from the range's last instruction, whose flags are
 * @last.
 */
static void check_attach_before(const char *line, uint64_t shadow, uint8_t last)
{
	uint8_t flags = image.flags[shadow - image.text];

	if (!(flags & (STAYS | OWNED)))
		report(line, "attached before what could be moved");
	if (flags & BRANCH_TARGET)
		report(line, "attached before a branch target");
	if (last & (STOPS | CALL))
		report(line, "the last instruction does not continue at the shadow");
}

/* Checks that the range is whole instructions, and that branches lead only to its first byte. */
static void check_displaced(const char *line, uint64_t start, unsigned int size, uint64_t shadow,
			    bool trap)
{
	uint64_t at = start - image.text, end = at + size;
	unsigned int n = 0;
	bool found = false, stopped = false;
	uint8_t last = 0;

	if (size > DISPLACED_MAX)
		report(line, "too many bytes");
	while (at < end && image.lengths[at]) {
		found |= at == shadow - image.text;
		if (stopped)
			report(line, "goes on after what does not");
		last = image.flags[at];
		stopped = last & (STOPS | CALL);
		if (image.flags[at] & STAYS)
			report(line, "moves what must stay");
		for (unsigned int i = 0; i < image.lengths[at]; i++) {
			if (image.flags[at + i] &
			    (image.lengths[at] == size ? OWNED : OWNED | BOOT))
				report(line, "covers what is somebody else's");
			if (!trap && at + i != start - image.text &&
			    image.flags[at + i] & BRANCH_TARGET)
				report(line, "control comes to byte %" PRIu64,
				       at + i - (start - image.text));
		}
		at += image.lengths[at];
		n++;
	}
	if (at != end || n > (trap ? 1 : INSNS_MAX) || !n)
		report(line, "not whole instructions, or too many of them: %u", n);
	if (shadow == start + size)
		check_attach_before(line, shadow, last);
	else if (!found && shadow)
		report(line, "the shadow is none of its instructions");
}

/*
 * Returns whether the slot is in padding that nothing reaches: control must leave at the last
 * instruction before the padding.
 */
static bool is_free(uint64_t slot)
{
	uint64_t end = slot + JUMP - image.text, first = slot - image.text, at;

	while (first && !image.lengths[first])
		first--;
	for (at = first; at < end; at += image.lengths[at])
		if (!(image.flags[at] & PADDING))
			return false;
	while (image.flags[first] & PADDING) {
		for (unsigned int i = 0; i < image.lengths[first]; i++)
			if (image.flags[first + i] & (BRANCH_TARGET | OWNED | BOOT))
				return false;
		for (at = first - 1; at && !image.lengths[at]; at--)
			;
		first = at;
	}
	for (at = slot - image.text; at < end; at++)
		if (image.flags[at] & (BRANCH_TARGET | OWNED | BOOT))
			return false;
	return image.flags[first] & LEAVES;
}

static void check_slot(const char *line, const struct planned *planned)
{
	int64_t distance = planned->slot - planned->start - SHORT_JUMP;

	if (distance < -128 || distance > 127)
		report(line, "the slot is out of reach");
	if (planned->donor)
		check_displaced(line, planned->slot - JUMP, planned->donor, 0, false);
	else if (!is_free(planned->slot))
		report(line, "the slot is not free");
	if (planned->donor && (planned->donor < 2 * JUMP ||
			       (planned->slot - JUMP < planned->start + planned->displaced &&
				planned->start < planned->slot - JUMP + planned->donor)))
		report(line, "no donor");
}

/*
 * Notes that the range, donor or slot @id uses these bytes, and reports bytes that another one uses
 * already.
 */
static void use(const char *line, uint64_t start, unsigned int size, uint64_t id)
{
	for (uint64_t at = start - image.text; at < start - image.text + size && at < image.size;
	     at++) {
		if (image.owner[at] && image.owner[at] != id)
			report(line, "byte %" PRIx64 " has two owners", at + image.text);
		image.owner[at] = id;
	}
}

static void check(const char *line, const struct planned *planned, bool together)
{
	bool refused = !strcmp(planned->splice, "refused"),
	     springboard = !strcmp(planned->splice, "springboard");
	bool trap = !strcmp(planned->splice, "trap");

	if (refused)
		return;
	check_displaced(line, planned->start, planned->displaced, planned->address, trap);
	if (!springboard && !trap && planned->displaced < JUMP)
		report(line, "too small");
	if (springboard && planned->displaced < SHORT_JUMP)
		report(line, "too small");
	if (springboard)
		check_slot(line, planned);
	if (!together)
		return;
	use(line, planned->start, planned->displaced, planned->start);
	if (springboard && planned->donor)
		use(line, planned->slot - JUMP, planned->donor, planned->slot - JUMP);
	else if (springboard)
		use(line, planned->slot, JUMP, planned->slot);
}

int main(int argc, char **argv)
{
	unsigned long lines, displaceable = 0, instructions = 0;
	char *line = NULL;
	size_t size = 0;
	FILE *plan;

	if (argc != 4)
		return 2;
	open_image(argv[1]);
	read_symbols();
	read_tables();
	read_relocations();
	lines = read_objdump();
	plan = fopen(argv[2], "r");
	if (!plan) {
		perror(argv[2]);
		return 1;
	}
	while (getline(&line, &size, plan) > 0) {
		struct planned planned = { 0 };

		instructions++;
		if (sscanf(line, "%" SCNx64 " %15s %" SCNx64 " %u %" SCNx64 " %u", &planned.address,
			   planned.splice, &planned.start, &planned.displaced, &planned.slot,
			   &planned.donor) != 6)
			report(line, "not a line of a plan");
		else
			check(line, &planned, !strcmp(argv[3], "together"));
		displaceable += strcmp(planned.splice, "refused") &&
				planned.displaced != image.lengths[planned.address - image.text];
	}
	printf("%lu lines of objdump, %lu instructions planned, %lu with several displaced, %lu "
	       "wrong\n",
	       lines, instructions, displaceable, wrong);
	return wrong || !displaceable;
}
