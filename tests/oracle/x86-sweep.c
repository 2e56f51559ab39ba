// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks runtime/x86-fields.h and runtime/x86-rules.h, which decide how an instruction may be
 * spliced, on all opcode maps: x86-sweep FOLDER [all].
 *
 *  - weft.ko (with the kernel's decoder and its own kmod/text/insn-table.c) and the weaver (with
 *    Capstone) must decode an instruction to the same fields, if both know it.
 *  - objdump, if it knows the instruction, must agree on the length, on whether it is a branch and
 *    to which target, on memory that is addressed relative to %rip, and, by a list of mnemonics
 *    (x86-mnemonics.c), on whether it is to be copied, re-encoded or left where it is.
 *  - if the instruction may be moved, the processor must do the same at another address
 *    (x86-native.c).
 *
 * FOLDER is for the files that objdump reads. "all" takes every ModRM byte of each opcode.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "x86/decode.h"
#include "base/vec.h"
#include "listing.h"
#include "splice/refusal.h"
#include "x86-mnemonics.h"
#include "x86-native.h"
#include "x86-samples.h"

enum {
	REPORTED_MOST = 20, /* The most errors that are printed. */
	SLOT = 32, /* The bytes for each instruction in objdump's file. */
	BATCH = 1 << 18, /* The most instructions in one run of objdump. */
};

/* An instruction that wr_fields_read() (runtime/x86-fields.c) decodes. */
struct known {
	uint8_t bytes[SAMPLE_SIZE]; /* The instruction and what follows it. */
	struct wr_fields fields; /* What wr_fields_read() says of it. */
	bool confirmed; /* The kernel's decoder or Capstone knows the instruction. */
};

struct sweep {
	struct wv_decoder *decoder; /* The weaver's decoder. */
	const char *folder; /* Where objdump's files are. */
	WV_VEC(struct known) batch; /* Instructions that are still to be checked. */
	uint32_t *seen; /* A hash table of all instructions so far. */
	/* Numbers of samples: all; decoded by both decoders; decoded by one of them only. */
	unsigned long samples, both, weaver_only, kernel_only;
	/*
	 * Numbers of different instructions: of all, and of those that objdump does not know, that
	 * ran, that faulted.
	 */
	unsigned long read, unknown_to_objdump, ran, faulted;
	unsigned long wrong[3]; /* The number of errors of each enum check. */
};

enum check { AGREE, OBJDUMP, NATIVE };

/* Defined in kernel-insn.c. */
bool kernel_fields(const uint8_t *bytes, unsigned int size, struct wr_fields *ret);
bool same_fields(const struct wr_fields *a, const struct wr_fields *b);
int parts_agree(const uint8_t *bytes, unsigned int size);

static void report_sample(struct sweep *sweep, enum check check, const uint8_t *bytes,
			  unsigned int n, const char *what, const char *more)
{
	if (sweep->wrong[check]++ >= REPORTED_MOST)
		return;
	printf("%s:", what);
	for (unsigned int i = 0; i < n; i++)
		printf(" %02x", bytes[i]);
	printf(" %s%s", more, strchr(more, '\n') ? "" : "\n");
}

/* ---- comparison of weft.ko's decoder with the weaver's --------------------------------------- */

enum { SEEN_BITS = 24 };

/*
 * Returns whether the instruction was not checked yet. Most samples repeat an instruction with
 * other bytes after it. Only a hash of each instruction is kept, so if two instructions have the
 * same hash, the second one is not checked; of millions of instructions hardly any has that of
 * another.
 */
static bool is_new(struct sweep *sweep, const struct known *known)
{
	uint64_t hash = 0xcbf29ce484222325u;
	uint32_t *slot;

	for (unsigned int i = 0; i < known->fields.length; i++)
		hash = (hash ^ known->bytes[i]) * 0x100000001b3u;
	slot = &sweep->seen[hash >> 32 & ((1u << SEEN_BITS) - 1)];
	if (*slot == (uint32_t)hash)
		return false;
	*slot = hash;
	return true;
}

static void check_batch(struct sweep *sweep);

static void take(void *context, const uint8_t *bytes)
{
	struct sweep *sweep = context;
	struct wr_fields theirs;
	struct wv_insn ours;
	struct known known, *added;
	bool kernel = kernel_fields(bytes, SAMPLE_SIZE, &theirs);
	bool weaver = wv_decode(sweep->decoder, bytes, SAMPLE_SIZE, NATIVE_ADDRESS, &ours);

	sweep->samples++;
	sweep->both += kernel && weaver;
	sweep->weaver_only += weaver && !kernel;
	sweep->kernel_only += kernel && !weaver;
	if (kernel && weaver && !same_fields(&ours.fields, &theirs))
		report_sample(sweep, AGREE, bytes, SAMPLE_SIZE, "the weaver and weft.ko differ",
			      "");
	if (parts_agree(bytes, SAMPLE_SIZE) < 0)
		report_sample(sweep, AGREE, bytes, SAMPLE_SIZE,
			 "weft.ko is certain, and its decoder means something else", "");
	/*
	 * An instruction that neither decoder knows is not run on the processor: it may be an error
	 * in the tables of runtime/x86-fields.c.
	 */
	known.confirmed = kernel || weaver;
	if (!wr_fields_read(&known.fields, bytes, SAMPLE_SIZE))
		return;
	memcpy(known.bytes, bytes, sizeof(known.bytes));
	if (!is_new(sweep, &known))
		return;
	added = wv_vec_push(&sweep->batch);
	if (!added)
		err(2, "samples");
	*added = known;
	if (sweep->batch.n == BATCH)
		check_batch(sweep);
}

/* ---- comparison with objdump ----------------------------------------------------------------- */

/*
 * Writes a file for objdump, with each instruction in a slot of its own. The rest of the slot makes
 * sure that objdump begins anew at the next slot, even if it takes more or fewer bytes for the
 * instruction than weft does: zeros, which objdump skips, and at the end two bytes that objdump
 * decodes as instructions of one byte each, or together with zeros before them.
 */
static void write_slots(const struct sweep *sweep, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		err(2, "%s", path);
	wv_vec_for_each(known, &sweep->batch) {
		uint8_t slot[SLOT] = { [SLOT - 2] = 0xf8, 0xf8 };

		memcpy(slot, known->bytes, known->fields.length);
		fwrite(slot, sizeof(slot), 1, file);
	}
	if (fclose(file))
		err(2, "%s", path);
}

/* Returns how runtime/x86-rules.c lets the instruction be moved. */
static enum mobility rules_mobility(const struct known *known, uint64_t address)
{
	struct wr_insn insn;

	if (wr_rules_relocate(&known->fields, known->bytes, address, &insn))
		return MOBILITY_NONE;
	return insn.kind == WR_INSN_PLAIN || insn.kind == WR_INSN_RIP ? MOBILITY_COPY :
									MOBILITY_REENCODE;
}

static void compare_line(struct sweep *sweep, const struct known *known, const struct line *line)
{
	const struct wr_fields *fields = &known->fields;
	struct mnemonic said;
	const char *wrong = NULL;

	/* objdump decodes a hypervisor's prefix as a ud2. */
	if (fields->prefixes & WR_PREFIX_EMULATE || listing_is_none(line->text) ||
	    !mnemonic_parse(line->text, &said)) {
		sweep->unknown_to_objdump++;
		return;
	}
	sweep->read++;
	if (line->length != fields->length)
		wrong = "objdump has another length";
	else if (!mnemonic_is(&said, fields))
		wrong = "objdump takes it for something else";
	else if (!mnemonic_moves_so(&said, fields, rules_mobility(known, line->address)))
		wrong = "may be moved otherwise by the rules than by objdump's words";
	else if (said.direct != wr_rule_of(fields)->direct)
		wrong = "objdump differs on whether the target is an operand";
	else if (said.rip_relative != wr_is_rip_relative(fields))
		wrong = "objdump differs on %rip";
	else if (said.rip_relative && said.operand != wr_rip_operand(fields, line->address))
		wrong = "objdump has another operand";
	else if (said.direct && !(fields->prefixes & WR_PREFIX_DATA) &&
		 said.target != wr_branch_target(fields, line->address))
		wrong = "objdump has another target";
	if (wrong)
		report_sample(sweep, OBJDUMP, known->bytes, fields->length, wrong, line->text);
}

/* Reports an instruction that objdump has no line for, which would be compared with nothing. */
static void miss_line(struct sweep *sweep, const struct known *known)
{
	static const uint8_t zeros[SAMPLE_SIZE];

	/* objdump skips zeros, so an instruction of zeros has no line. */
	if (memcmp(known->bytes, zeros, known->fields.length))
		report_sample(sweep, OBJDUMP, known->bytes, known->fields.length,
			 "objdump does not begin here", "\n");
}

static void ask_objdump(struct sweep *sweep)
{
	char path[256], command[512];
	char *text = NULL;
	size_t size = 0, next = 0;
	struct line line;
	FILE *listing;

	snprintf(path, sizeof(path), "%s/x86-sweep.bin", sweep->folder);
	write_slots(sweep, path);
	snprintf(command, sizeof(command),
		 "objdump -D -b binary -m i386:x86-64 --insn-width=%d --adjust-vma=%#lx '%s'",
		 SAMPLE_SIZE, NATIVE_ADDRESS, path);
	listing = popen(command, "r");
	if (!listing)
		err(2, "objdump");
	while (getline(&text, &size, listing) > 0) {
		size_t slot;

		if (!listing_parse(text, &line) || (line.address - NATIVE_ADDRESS) % SLOT)
			continue;
		slot = (line.address - NATIVE_ADDRESS) / SLOT;
		for (; next < slot && next < sweep->batch.n; next++)
			miss_line(sweep, &sweep->batch.data[next]);
		if (slot < sweep->batch.n)
			compare_line(sweep, &sweep->batch.data[slot], &line);
		next = slot + 1;
	}
	if (pclose(listing) || next != sweep->batch.n)
		report_sample(sweep, OBJDUMP, NULL, 0, "objdump failed", path);
	free(text);
	remove(path);
}

/* ---- comparison with the processor ----------------------------------------------------------- */

/*
 * Returns whether the result depends on time, chance or the hypervisor. Of such an instruction the
 * test compares only where control goes on.
 */
static bool is_volatile(const struct wr_fields *fields)
{
	enum {
		RDTSC = 0x31,
		RDPMC = 0x33,
		CPUID = 0xa2,
		GROUP9 = 0xc7,
		RDRAND = 6,
		GROUP7 = 0x01,
		RDTSCP = 0xf9,
		RDPRU = 0xfd
	};

	if (fields->encoding != WR_LEGACY || fields->map != WR_MAP_0F)
		return false;
	switch (fields->opcode) {
	case RDTSC:
	case RDPMC:
	case CPUID:
		return true;
	case GROUP9:
		return wr_modrm_mod(fields->modrm) == WR_MOD_REGISTER &&
		       wr_modrm_reg(fields->modrm) >= RDRAND;
	case GROUP7:
		return fields->modrm == RDTSCP || fields->modrm == RDPRU;
	default:
		return false;
	}
}

static bool is_for_hypervisor(const struct wr_fields *fields)
{
	enum { GROUP7 = 0x01, VMCALL = 0xc1, VMRESUME = 0xc3, VMFUNC = 0xd4, VMMCALL = 0xd9 };

	return fields->encoding == WR_LEGACY && fields->map == WR_MAP_0F &&
	       fields->opcode == GROUP7 &&
	       ((fields->modrm >= VMCALL && fields->modrm <= VMRESUME) || fields->modrm == VMFUNC ||
		fields->modrm == VMMCALL);
}

static void count_verdict(struct sweep *sweep, const struct native_case *test)
{
	switch (test->verdict) {
	case NATIVE_SAME_FAULT:
		sweep->faulted++;
		sweep->ran++;
		break;
	case NATIVE_SAME:
		sweep->ran++;
		break;
	case NATIVE_UNREACHED:
		break;
	default:
		report_sample(sweep, NATIVE, test->insn.bytes, test->insn.length,
			      "moved, it is another", native_verdict_name(test->verdict));
	}
}

static void run_all(struct sweep *sweep)
{
	struct native_case *cases = native_cases(sweep->batch.n + 1);
	size_t n = 0;

	wv_vec_for_each(known, &sweep->batch) {
		struct native_case *test = &cases[n];

		if (!known->confirmed ||
		    wr_rules_relocate(&known->fields, known->bytes, NATIVE_ADDRESS, &test->insn))
			continue;
		if (is_for_hypervisor(&known->fields))
			continue;
		test->volatile_result = is_volatile(&known->fields);
		n++;
	}
	if (!native_run(cases, n))
		errx(2, "nothing can be run here");
	for (size_t i = 0; i < n; i++)
		count_verdict(sweep, &cases[i]);
	native_free(cases, sweep->batch.n + 1);
}

static void check_batch(struct sweep *sweep)
{
	ask_objdump(sweep);
	run_all(sweep);
	sweep->batch.n = 0;
}

/* ---- functions that print the report and sweep over all samples ------------------------------ */

static unsigned int report(const char *name, unsigned long wrong, unsigned long n,
			   unsigned long least)
{
	if (!wrong && n >= least) {
		printf("ok %s (%lu compared)\n", name, n);
		return 0;
	}
	printf("FAILED %s: %lu wrong of %lu compared (at least %lu expected)\n", name, wrong, n,
	       least);
	return 1;
}

int main(int argc, char **argv)
{
	enum { BOTH_LEAST = 120000, READ_LEAST = 100000, RAN_LEAST = 120000 };
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct sweep sweep = { 0 };
	struct wv_error error;
	unsigned int failed;

	if (argc < 2 || wv_decoder_create(&decoder, &error))
		errx(2, "usage: x86-sweep FOLDER [all]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	sweep.decoder = decoder;
	sweep.folder = argv[1];
	sweep.seen = calloc(1u << SEEN_BITS, sizeof(*sweep.seen));
	if (!sweep.seen)
		err(2, "samples");
	samples_each(argc > 2 && !strcmp(argv[2], "all"), take, &sweep);
	check_batch(&sweep);
	printf("%lu samples: both know %lu, the weaver alone %lu, weft.ko alone %lu\n",
	       sweep.samples, sweep.both, sweep.weaver_only, sweep.kernel_only);
	printf("different ones: objdump knows %lu, does not %lu; %lu run, %lu of them fault\n",
	       sweep.read, sweep.unknown_to_objdump, sweep.ran, sweep.faulted);
	failed = report("weft.ko and the weaver say the same", sweep.wrong[AGREE], sweep.both,
			BOTH_LEAST);
	failed += report("objdump says the same", sweep.wrong[OBJDUMP], sweep.read, READ_LEAST);
	failed += report("the processor does the same elsewhere", sweep.wrong[NATIVE], sweep.ran,
			 RAN_LEAST);
	printf("%u passed, %u failed, 0 skipped\n", 3 - failed, failed);
	wv_vec_deinit(&sweep.batch);
	free(sweep.seen);
	return failed != 0;
}
