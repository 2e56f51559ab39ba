// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes flow graphs of functions from objdump's listing, and checks counts of their blocks against
 * the graphs. LISTING is the output of `objdump -d --no-show-raw-insn` for functions and their cold
 * parts. Where jump labels are and lead to is read from the image.
 *
 * `flow LISTING VMLINUX counters NAME FUNCTION...`: prints an aspect with an inline counter for
 * every block of these functions, called SYMBOL+OFFSET, and for every third block also a counter
 * that is a C function, "again SYMBOL+OFFSET".
 *
 * `flow LISTING VMLINUX pointcuts NAME`: prints an aspect that counts the entries, blocks and exits
 * of all functions by joinpoint, with weft's own pointcuts.
 *
 * `flow LISTING VMLINUX check LIVE COUNTS`: checks counts, lines `SYMBOL+OFFSET N` by the blocks'
 * first bytes, against the graph of the text that kernel-text has written to LIVE. Each time that a
 * block runs, control comes into it by one edge and leaves it by one edge. So the counts of the
 * edges into a block must add up to the block's count, and so must those of the edges out of it.
 * From these sums follow the counts of many edges, and no count may contradict another. Prints for
 * each function "NAME ENTERED LEFT BLOCKS RUN EDGES DECIDED": how often it was entered and left,
 * how many of its blocks have counts and how many ran, how many edges are between them and for how
 * many the number is certain. Contradictions go to stderr; then it exits with 1.
 *
 * `flow LISTING VMLINUX ends LIVE`: prints the first and the last instruction of every block that
 * has several.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { INSNS_MOST = 1 << 15, PARTS_MOST = 256, NAME_SIZE = 64 };
enum { OUT = -1, UNKNOWN = -1 };

enum kind { NEXT, JUMP, BRANCH, LEAVES, PADDING };

struct insn {
	uint64_t address; /* The live address. */
	enum kind kind; /* How control goes on after it. */
	uint64_t target; /* The address to which a JUMP or BRANCH goes. */
	/*
	 * The address to which a jump label goes when it is switched on; 0 if it is no jump label.
	 */
	uint64_t label;
	int part; /* The index of the part that has it. */
	bool is_target, fentry; /* A branch leads to it; it is ftrace's call. */
};

/* A stretch of text that has one symbol. Indices are those of its instructions. */
struct part {
	char symbol[NAME_SIZE]; /* The name of the symbol. */
	uint64_t start; /* The address of the first byte. */
	int first, end; /* The first instruction, and the one after the last. */
};

struct block {
	int first, last; /* The indices of the first and the last instruction. */
	long count;	 /* The number of executions, or UNKNOWN. */
	int out[2], nr_out; /* The edges that leave the block, as indices. */
	int in;		    /* The last edge that leads to the block, or OUT. */
};

struct edge {
	/* The blocks at both ends, as indices: OUT in `from` is an entry, OUT in `to` an exit. */
	int from, to;
	int next_in;  /* Another edge to the same block, or OUT. */
	long count; /* The number of executions, or UNKNOWN. */
};

static struct insn insns[INSNS_MOST];
static int nr_insns;
static struct part parts[PARTS_MOST];
static int nr_parts;
static struct block blocks[INSNS_MOST];
static int nr_blocks;
static struct edge edges[2 * INSNS_MOST];
static int nr_edges;
static bool wrong;

/* ---- functions that read the image's symbols and jump labels --------------------------------- */

static const uint8_t *image;

static const Elf64_Shdr *sections(unsigned int *n_ret)
{
	const Elf64_Ehdr *header = (const void *)image;

	*n_ret = header->e_shnum;
	return (const void *)(image + header->e_shoff);
}

/* Returns the address of the symbol. */
static uint64_t find_symbol(const char *name)
{
	unsigned int n;
	const Elf64_Shdr *all = sections(&n), *table = all;

	while (table < all + n && table->sh_type != SHT_SYMTAB)
		table++;
	for (size_t i = 0; table < all + n && i < table->sh_size / sizeof(Elf64_Sym); i++) {
		const Elf64_Sym *symbol = (const Elf64_Sym *)(image + table->sh_offset) + i;

		if (!strcmp((const char *)image + all[table->sh_link].sh_offset + symbol->st_name,
			    name))
			return symbol->st_value;
	}
	errx(2, "no symbol %s", name);
}

/* Returns the image's bytes at @address. */
static const void *at_address(uint64_t address)
{
	unsigned int n;
	const Elf64_Shdr *all = sections(&n);

	for (unsigned int i = 0; i < n; i++)
		if (all[i].sh_type == SHT_PROGBITS && all[i].sh_flags & SHF_ALLOC &&
		    address - all[i].sh_addr < all[i].sh_size)
			return image + all[i].sh_offset + (address - all[i].sh_addr);
	errx(2, "nothing at %#llx", (unsigned long long)address);
}

static void load_image(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &status))
		err(2, "%s", path);
	image = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		err(2, "%s", path);
}

static struct insn *insn_at(uint64_t address)
{
	for (int i = 0; i < nr_parts; i++) {
		int low = parts[i].first, high = parts[i].end;

		while (low < high) {
			int middle = (low + high) / 2;

			if (insns[middle].address == address)
				return &insns[middle];
			if (insns[middle].address < address)
				low = middle + 1;
			else
				high = middle;
		}
	}
	return NULL;
}

/* Reads the table of struct jump_entry: each field is a distance from the field's own address. */
static void find_labels(void)
{
	struct entry {
		int32_t code, target;
		int64_t key;
	};
	uint64_t start = find_symbol("__start___jump_table"),
		 end = find_symbol("__stop___jump_table");
	const struct entry *entries = at_address(start);

	for (size_t i = 0; i < (end - start) / sizeof(*entries); i++) {
		uint64_t at = start + i * sizeof(*entries);
		struct insn *insn = insn_at(at + entries[i].code);

		if (insn)
			insn->label = at + offsetof(struct entry, target) + entries[i].target;
	}
}

/* ---- functions that parse objdump's listing -------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_padding(const char *text)
{
	return begins(text, "int3") || begins(text, "nop") || begins(text, "cs nop") ||
	       begins(text, "data16") || begins(text, "xchg   %ax,%ax");
}

static void classify(const char *text, struct insn *insn)
{
	const char *operand;

	if (begins(text, "notrack "))
		text += strlen("notrack ");
	operand = text + strcspn(text, " ");
	if (begins(text, "ret") || begins(text, "repz ret") || begins(text, "jmp    *"))
		insn->kind = LEAVES;
	else if (*text == 'j')
		insn->kind = begins(text, "jmp") ? JUMP : BRANCH;
	else if (is_padding(text))
		insn->kind = PADDING;
	if (insn->kind == JUMP || insn->kind == BRANCH)
		insn->target = strtoull(operand, NULL, 16);
	insn->fentry = strstr(text, "<__fentry__>");
}

static void read_listing(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long address;
	char line[512], name[NAME_SIZE];
	int at;

	if (!file)
		err(2, "%s", path);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx <%63[^>]>:", &address, name) == 2) {
			struct part *part = &parts[nr_parts++];

			if (nr_parts == PARTS_MOST)
				errx(2, "too many functions");
			strcpy(part->symbol, name);
			part->start = address;
			part->first = part->end = nr_insns;
		} else if (nr_parts && sscanf(line, " %llx: %n", &address, &at) == 1) {
			struct insn *insn = &insns[nr_insns++];

			if (nr_insns == INSNS_MOST)
				errx(2, "too many instructions");
			insn->address = address;
			insn->part = nr_parts - 1;
			classify(line + at, insn);
			parts[nr_parts - 1].end = nr_insns;
		}
	}
	fclose(file);
}

/* ---- instructions that the live text has instead of the image's ------------------------------ */

enum { NEAR_JUMP = 0xe9, SHORT_JUMP = 0xeb, NOP_LONG = 0x0f, NOP = 0x90, PREFIX = 0x66 };

/*
 * Updates the instruction from the live text, in which a jump of the image may be a nop, and a nop
 * a jump.
 */
static void look(struct insn *insn, const uint8_t *bytes)
{
	int32_t distance;

	if (insn->kind == JUMP && (bytes[0] == NOP_LONG || bytes[0] == NOP || bytes[0] == PREFIX)) {
		insn->kind = NEXT;
	} else if (bytes[0] == NEAR_JUMP && (insn->kind == JUMP || insn->label)) {
		insn->kind = JUMP;
		memcpy(&distance, bytes + 1, sizeof(distance));
		insn->target = insn->address + 5 + distance;
	} else if (bytes[0] == SHORT_JUMP && (insn->kind == JUMP || insn->label)) {
		insn->kind = JUMP;
		insn->target = insn->address + 2 + (int8_t)bytes[1];
	} else if (insn->label) {
		insn->kind = NEXT;
	}
}

static void apply_live(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t text[2]; /* The dump begins with _stext and _etext (see kernel-text.c). */
	uint64_t stext = find_symbol("_stext");
	uint8_t bytes[5];

	if (!file)
		err(2, "%s", path);
	for (int i = 0; i < nr_insns; i++) {
		if (insns[i].kind != JUMP && !insns[i].label)
			continue;
		if (fseek(file, sizeof(text) + (insns[i].address - stext), SEEK_SET) ||
		    fread(bytes, sizeof(bytes), 1, file) != 1)
			err(2, "%s", path);
		look(&insns[i], bytes);
	}
	fclose(file);
}

/* ---- functions that find blocks and the edges between them ----------------------------------- */

/* Returns whether @symbol is @function itself or its cold part. */
static bool is_part_of(const char *symbol, const char *function)
{
	size_t n = strlen(function);

	return begins(symbol, function) && (!symbol[n] || !strcmp(symbol + n, ".cold"));
}

static bool is_cold(const struct part *part)
{
	const char *dot = strrchr(part->symbol, '.');

	return dot && !strcmp(dot, ".cold");
}

static bool same_function(int one, int other)
{
	return one == other || is_part_of(parts[one].symbol, parts[other].symbol) ||
	       is_part_of(parts[other].symbol, parts[one].symbol);
}

/* Returns the instruction at @target if it is in the same function as @insn, else NULL. */
static struct insn *inside(const struct insn *insn, uint64_t target)
{
	struct insn *to = target ? insn_at(target) : NULL;

	return to && same_function(insn->part, to->part) ? to : NULL;
}

static void find_targets(void)
{
	for (int i = 0; i < nr_insns; i++) {
		struct insn *to = inside(&insns[i], insns[i].target),
			    *label = inside(&insns[i], insns[i].label);

		if (to)
			to->is_target = true;
		if (label)
			label->is_target = true;
	}
}

static bool ends_flow(const struct insn *insn)
{
	return insn->kind == JUMP || insn->kind == LEAVES;
}

/* Finds the blocks. Padding that no control reaches belongs to no block. */
static void find_blocks(void)
{
	bool dead = false;

	for (int i = 0; i < nr_insns; i++) {
		struct insn *insn = &insns[i];
		bool first = i == parts[insn->part].first;

		dead = !first && (dead || ends_flow(&insn[-1]));
		if (dead && insn->kind == PADDING && !insn->is_target)
			continue;
		if (first || dead || insn->is_target || insn[-1].kind == BRANCH || insn[-1].label) {
			blocks[nr_blocks].first = i;
			blocks[nr_blocks].count = UNKNOWN;
			blocks[nr_blocks++].in = OUT;
		}
		blocks[nr_blocks - 1].last = i;
		dead = false;
	}
}

static int block_of(const struct insn *insn)
{
	for (int i = 0; i < nr_blocks; i++)
		if (blocks[i].first == insn - insns)
			return i;
	return OUT;
}

static void add_way(int from, int to)
{
	edges[nr_edges] = (struct edge){ from, to, OUT, UNKNOWN };
	if (from != OUT)
		blocks[from].out[blocks[from].nr_out++] = nr_edges;
	if (to != OUT) {
		edges[nr_edges].next_in = blocks[to].in;
		blocks[to].in = nr_edges;
	}
	nr_edges++;
}

static void find_edges(void)
{
	for (int i = 0; i < nr_blocks; i++) {
		const struct insn *last = &insns[blocks[i].last], *to = inside(last, last->target);

		if (last->kind == JUMP || last->kind == BRANCH)
			add_way(i, to ? block_of(to) : OUT);
		if (last->kind == LEAVES)
			add_way(i, OUT);
		if ((last->kind == NEXT || last->kind == BRANCH || last->kind == PADDING) &&
		    blocks[i].last + 1 < parts[last->part].end)
			add_way(i, i + 1);
	}
	for (int i = 0; i < nr_parts; i++)
		if (!is_cold(&parts[i]) && parts[i].first < parts[i].end)
			add_way(OUT, block_of(&insns[parts[i].first]));
}

/*
 * Returns the instruction at which the block is counted: its first, or the one after ftrace's
 * bytes.
 */
static const struct insn *shadow_of(const struct block *block)
{
	const struct insn *insn = &insns[block->first];

	if (insn->fentry)
		return block->last > block->first ? insn + 1 : NULL;
	return insn;
}

/* ---- computation of the counts of blocks and edges ------------------------------------------- */

static const char *name_of(const struct insn *insn)
{
	static char name[NAME_SIZE + 32];

	snprintf(name, sizeof(name), "%s+0x%llx", parts[insn->part].symbol,
		 (unsigned long long)(insn->address - parts[insn->part].start));
	return name;
}

static struct insn *find_insn(const char *name)
{
	const char *plus = strchr(name, '+');

	for (int i = 0; i < nr_parts && plus; i++)
		if (begins(name, parts[i].symbol) && name + strlen(parts[i].symbol) == plus)
			return insn_at(parts[i].start + strtoull(plus, NULL, 0));
	return NULL;
}

/*
 * Sets the count of the block that has the instruction @name: all instructions of a block run
 * equally often, so the counter may be at any of them.
 */
static void set_count(const char *name, long count)
{
	const struct insn *insn = find_insn(name);

	for (int i = 0; i < nr_blocks; i++) {
		if (!insn || insn < &insns[blocks[i].first] || insn > &insns[blocks[i].last])
			continue;
		if (blocks[i].count != UNKNOWN && blocks[i].count != count)
			errx(1, "%s: %ld, and %ld elsewhere in its block", name, count,
			     blocks[i].count);
		blocks[i].count = count;
		return;
	}
	errx(1, "%s is in no block", name);
}

static void read_counts(const char *path)
{
	FILE *file = fopen(path, "re");
	char name[128];
	long count;

	if (!file)
		err(2, "%s", path);
	while (fscanf(file, "%127s %ld", name, &count) == 2)
		set_count(name, count);
	fclose(file);
}

static void print_wrong(int block, const char *format, long sum)
{
	fprintf(stderr, "%s ran %ld times, ", name_of(&insns[blocks[block].first]),
		blocks[block].count);
	fprintf(stderr, format, sum);
	wrong = true;
}

/*
 * Returns the sum of the counts of the edges on one side of a block. *@open_ret is the number of
 * edges whose count is unknown yet, and *@which_ret one of them.
 */
static long sum_of(const struct block *block, bool in, int *open_ret, int *which_ret)
{
	long sum = 0;

	*open_ret = 0;
	for (int i = 0, at = in ? block->in : 0; in ? at != OUT : i < block->nr_out;
	     at = edges[at].next_in, i++) {
		if (!in)
			at = block->out[i];
		if (edges[at].count == UNKNOWN) {
			++*open_ret;
			*which_ret = at;
		} else {
			sum += edges[at].count;
		}
	}
	return sum;
}

/*
 * Computes the only count that is unknown among those of a block and of the edges on one side of
 * it. Returns whether it did, since more counts may then follow. Prints counts that contradict each
 * other, and sets `wrong`.
 */
static bool balance(int at, bool in)
{
	struct block *block = &blocks[at];
	int open, which = 0;
	long sum = sum_of(block, in, &open, &which);

	if (block->count == UNKNOWN) {
		if (!open)
			block->count = sum;
		return !open;
	}
	if (open > 1)
		return false;
	if (!open) {
		if (sum != block->count)
			print_wrong(at, in ? "and %ld came in\n" : "and %ld went out\n", sum);
		return false;
	}
	edges[which].count = block->count - sum;
	if (edges[which].count < 0)
		print_wrong(at,
			    in ? "fewer than the %ld that came in\n"
			       : "fewer than the %ld that went out\n",
			    sum);
	return true;
}

/*
 * Finds all counts that follow from others. A block without edges out of it never ends, so its exit
 * side is left out.
 */
static void decide(void)
{
	bool more = true;

	while (more && !wrong) {
		more = false;
		for (int i = 0; i < nr_blocks; i++) {
			more |= balance(i, true);
			if (blocks[i].nr_out)
				more |= balance(i, false);
		}
	}
}

static bool belongs(int block, const char *function)
{
	return block != OUT && is_part_of(parts[insns[blocks[block].first].part].symbol, function);
}

/* Adds the count of an edge to a sum. The sum becomes UNKNOWN if the count is. */
static void add(long *sum, long count)
{
	*sum = *sum == UNKNOWN || count == UNKNOWN ? UNKNOWN : *sum + count;
}

static void report(const char *function)
{
	long entered = 0, left = 0;
	int nr = 0, ran = 0, ways = 0, decided = 0;

	for (int i = 0; i < nr_edges; i++) {
		if (!belongs(edges[i].from, function) && !belongs(edges[i].to, function))
			continue;
		ways++;
		decided += edges[i].count != UNKNOWN;
		if (edges[i].from == OUT)
			add(&entered, edges[i].count);
		if (edges[i].to == OUT)
			add(&left, edges[i].count);
	}
	for (int i = 0; i < nr_blocks; i++) {
		nr += belongs(i, function) && blocks[i].count != UNKNOWN;
		ran += belongs(i, function) && blocks[i].count > 0;
	}
	printf("%s %ld %ld %d %d %d %d\n", function, entered, left, nr, ran, ways, decided);
	wrong |= entered != left;
}

static void check(const char *counts)
{
	read_counts(counts);
	decide();
	for (int i = 0; i < nr_parts; i++)
		if (!is_cold(&parts[i]))
			report(parts[i].symbol);
}

/* ---- functions that print the program's results ---------------------------------------------- */

static bool is_wanted(int part, char **functions)
{
	while (*functions && !is_part_of(parts[part].symbol, *functions))
		functions++;
	return *functions;
}

static void print_aspect(const char *name, char **functions)
{
	int n = 0;

	printf("<?xml version=\"1.0\"?>\n<aspect name=\"%s\">\n", name);
	for (int i = 0; i < nr_blocks; i++) {
		const struct insn *shadow = shadow_of(&blocks[i]);

		if (!shadow || !is_wanted(shadow->part, functions))
			continue;
		printf("<pointcut name=\"b%d\"><instruction symbol=\"%s\" "
		       "offset=\"%llu\"/></pointcut>\n",
		       i, parts[shadow->part].symbol,
		       (unsigned long long)(shadow->address - parts[shadow->part].start));
		printf("<counter name=\"%s\" pointcut=\"b%d\"/>\n", name_of(shadow), i);
		/* A counter with a condition is compiled to a C function. */
		if (n++ % 3 == 0)
			printf("<counter name=\"again %s\" pointcut=\"b%d\" condition=\"true\"/>\n",
			       name_of(shadow), i);
	}
	printf("</aspect>\n");
}

static void print_pointcut(const char *name, const char *format)
{
	printf("<pointcut name=\"%s\"><or>\n", name);
	for (int i = 0; i < nr_parts; i++)
		if (!is_cold(&parts[i]))
			printf(format, parts[i].symbol);
	printf("</or></pointcut>\n<counter name=\"%s\" pointcut=\"%s\" by=\"joinpoint\" "
	       "rows=\"4096\"/>\n",
	       name, name);
}

static void print_pointcuts(const char *name)
{
	printf("<?xml version=\"1.0\"?>\n<aspect name=\"%s\">\n", name);
	print_pointcut("entries", "<function name=\"%s\"/>\n");
	print_pointcut("blocks", "<block function=\"%s\"/>\n");
	print_pointcut("exits", "<function name=\"%s\" at=\"exit\"/>\n");
	printf("</aspect>\n");
}

static void print_ends(void)
{
	for (int i = 0; i < nr_blocks; i++) {
		const struct insn *shadow = shadow_of(&blocks[i]);

		if (!shadow || &insns[blocks[i].last] <= shadow)
			continue;
		printf("%s ", name_of(shadow));
		puts(name_of(&insns[blocks[i].last]));
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 4 ? argv[3] : "";

	if (argc < 5)
		errx(2, "usage: flow LISTING VMLINUX counters NAME FUNCTION... | pointcuts NAME | "
			"ends LIVE | check LIVE COUNTS");
	load_image(argv[2]);
	read_listing(argv[1]);
	find_labels();
	if (!strcmp(what, "ends") || !strcmp(what, "check"))
		apply_live(argv[4]);
	find_targets();
	find_blocks();
	find_edges();
	if (!strcmp(what, "counters"))
		print_aspect(argv[4], argv + 5);
	else if (!strcmp(what, "pointcuts"))
		print_pointcuts(argv[4]);
	else if (!strcmp(what, "ends"))
		print_ends();
	else if (!strcmp(what, "check") && argc > 5)
		check(argv[5]);
	return wrong;
}
