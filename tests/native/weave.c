// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses, emits and writes splices in the text of libraries (declared in weave.h). The weaver
 * chooses them (splice/choose.h), and the donors. A slot in a donor may be written only when the
 * donor is a jump, so slots are written after all splices, and are restored before them.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "advice.h"
#include "splice/refusal.h"
#include "weave.h"

enum {
	INT3 = 0xcc,
	CALL = 0xe8,
	JUMP = 0xe9,
	SHORT_JUMP = 0xeb,
	STUB_SIZE = 16,
	ALIGN = 16,
	PAGE = 4096
};

/* ---- the hash table that the int3 handler reads ---------------------------------------------- */

enum { TABLE_BITS = 21 };

/*
 * The table has open addressing. Entries are never moved, so a signal handler may read it at any
 * time.
 */
static struct entry {
	/* .trampoline is 0 if the address is not woven any more. */
	uint64_t address, trampoline, returns;
} table[1 << TABLE_BITS];

static struct entry *entry_of(uint64_t address)
{
	size_t at = address * 0x9e3779b97f4a7c15 >> (64 - TABLE_BITS);

	while (table[at].address && table[at].address != address)
		at = (at + 1) & ((1 << TABLE_BITS) - 1);
	return &table[at];
}

struct trap weave_trap(uint64_t address)
{
	const struct entry *entry = entry_of(address);
	struct trap trap = { 0 };

	if (__atomic_load_n(&entry->address, __ATOMIC_ACQUIRE)) {
		trap.trampoline = __atomic_load_n(&entry->trampoline, __ATOMIC_ACQUIRE);
		trap.returns = __atomic_load_n(&entry->returns, __ATOMIC_RELAXED);
	}
	return trap;
}

/*
 * Notes where an int3 at the splice's address goes on, or with @known false that it is not woven
 * any more.
 */
static void set_trap(const struct splice *splice, bool known)
{
	struct entry *entry = entry_of(splice->address);

	/*
	 * While a call is being written, an int3 is over its first byte and must do what the call
	 * does.
	 */
	__atomic_store_n(&entry->returns,
			 splice->kind == WEFT_SPLICE_CALL ? splice->address + splice->length : 0,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&entry->trampoline, known ? splice->trampoline : 0, __ATOMIC_RELEASE);
	__atomic_store_n(&entry->address, splice->address, __ATOMIC_RELEASE);
}

/* ---- allocation of the trampolines' memory --------------------------------------------------- */

uint64_t weave_stub(struct weave *weave, void (*to)(void))
{
	static const uint8_t jump_by_word[] = { 0xff, 0x25, 0, 0, 0, 0 };
	uint8_t *stub = weave->at;
	uint64_t target = (uintptr_t)to;

	memcpy(stub, jump_by_word, sizeof(jump_by_word));
	memcpy(stub + sizeof(jump_by_word), &target, sizeof(target));
	weave->at += STUB_SIZE;
	return (uintptr_t)stub;
}

uint8_t *weave_reserve(uint64_t near, size_t size, int protection)
{
	enum { STEP = 16 << 20, REACH = 1500 << 20 };

	for (uint64_t distance = size; distance < REACH; distance += STEP) {
		void *at = mmap((void *)((near - distance) & -(uint64_t)PAGE), size, protection,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE,
				-1, 0);

		if (at != MAP_FAILED)
			return at;
	}
	err(2, "no room for trampolines");
}

void weave_init(struct weave *weave, uint64_t near, size_t size)
{
	*weave = (struct weave){
		.area = weave_reserve(near, size, PROT_READ | PROT_WRITE | PROT_EXEC)
	};
	weave->platform = (struct wr_platform){
		.preempt_count = offsetof(struct cpu, preempt_count),
		.guard = offsetof(struct cpu, guard),
		.context_mask = CONTEXT_MASK,
		.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_RED_ZONE | WR_PLATFORM_HIGH,
	};
	weave->at = weave->area;
	weave->area_end = weave->area + size;
	weave->stubs[CLOBBER] = weave_stub(weave, advice_clobber);
	weave->stubs[CLOBBER_FRAME] = weave_stub(weave, advice_clobber_frame);
	weave->stubs[RECORD] = weave_stub(weave, advice_record);
}

void weave_deinit(struct weave *weave)
{
	munmap(weave->area, weave->area_end - weave->area);
	wv_vec_deinit(&weave->splices.list);
	wv_vec_deinit(&weave->shadows);
	wv_vec_deinit(&weave->slots);
}

/* ---- functions that emit trampolines --------------------------------------------------------- */

static uint32_t needs_of(enum advice advice, size_t shadow)
{
	switch (advice) {
	case CLOBBER_FRAME:
		return WR_BIT(shadow % WR_NR_REGISTERS) | WR_BIT(WR_RSP);
	case RECORD:
		return WR_BIT(WR_FLAGS + 1) - 1;
	default:
		return 0;
	}
}

static void describe(const struct weave *weave, const struct instruction *insn, enum advice advice,
		     size_t shadow, unsigned int at, struct wr_call *ret)
{
	size_t counts = offsetof(struct cpu, counts) + shadow * sizeof(struct counts);

	*ret = (struct wr_call){
		.entry = weave->stubs[advice],
		.shadow = shadow,
		.hits = counts + offsetof(struct counts, hits),
		.missed = counts + offsetof(struct counts, missed),
		.at = at,
		.live = insn->live & ~weave->forget,
		.needs = needs_of(advice, shadow),
	};
}

static void fill_jump(uint8_t *bytes, uint8_t opcode, uint64_t address, uint64_t target)
{
	int32_t distance = target - (address + WEFT_JUMP_SIZE);

	bytes[0] = opcode;
	memcpy(bytes + 1, &distance, sizeof(distance));
}

static void fill_bytes(struct splice *splice)
{
	memset(splice->bytes, INT3, splice->length);
	switch (splice->kind) {
	case WEFT_SPLICE_TRAP:
		memcpy(splice->bytes + 1, splice->old + 1, splice->length - 1);
		break;
	case WEFT_SPLICE_SPRINGBOARD:
		splice->bytes[0] = SHORT_JUMP;
		splice->bytes[1] = splice->slot - (splice->address + WEFT_SHORT_SIZE);
		memcpy(splice->slot_old, (void *)(uintptr_t)splice->slot, WEFT_JUMP_SIZE);
		fill_jump(splice->slot_bytes, JUMP, splice->slot, splice->trampoline);
		break;
	default:
		fill_jump(splice->bytes, splice->kind == WEFT_SPLICE_CALL ? CALL : JUMP,
			  splice->address, splice->trampoline);
	}
}

/*
 * Emits the splice's trampoline at @at, where @size bytes are free. There is a shadow before each
 * of the @n instructions that @advices names. If advice is attached before the instruction after
 * the displaced range, there is a shadow at the range's end as well. The shadows are numbered from
 * @shadow on.
 */
static void emit_at(const struct weave *weave, struct splice *splice, const struct body *body,
		    size_t first, unsigned int n, const uint8_t *advices, uint8_t *at, size_t size,
		    size_t shadow)
{
	struct wr_call calls[DISPLACED_BYTES];
	struct wr_insn insns[DISPLACED_BYTES];
	struct wr_trampoline trampoline = {
		.platform = &weave->platform,
		.insns = insns,
		.nr_insns = n,
		.flags = (body->sanitize ? WR_TRAMPOLINE_SANITIZE : 0) |
			 (splice->kind == WEFT_SPLICE_CALL ? WR_TRAMPOLINE_CALLED : 0),
		.calls = calls,
	};
	int length;

	splice->shadow = shadow;
	for (unsigned int i = 0; i < n + splice->attaches_before; i++) {
		const struct instruction *insn = &body->insns[first + i];

		if (i < n)
			insns[i] = insn->insn;
		if (!advices[i])
			continue;
		describe(weave, insn, advices[i], shadow + trampoline.nr_calls, i,
			 &calls[trampoline.nr_calls]);
		trampoline.nr_calls++;
	}
	splice->nr_shadows = trampoline.nr_calls;
	splice->trampoline = (uintptr_t)at;
	length = wr_trampoline_emit(at, size, splice->trampoline, &trampoline);
	if (length < 0 || length > (int)wr_trampoline_bound(n, trampoline.nr_calls))
		errx(2, "trampoline for %#lx: %d", (unsigned long)splice->address, length);
	splice->trampoline_size = length;
	memcpy(splice->old, (void *)(uintptr_t)splice->address, splice->length);
	fill_bytes(splice);
}

static void emit(struct weave *weave, struct splice *splice, const struct body *body, size_t first,
		 unsigned int n, const uint8_t *advices)
{
	emit_at(weave, splice, body, first, n, advices, weave->at, weave->area_end - weave->at,
		weave->shadows.n);
	weave->at += (splice->trampoline_size + ALIGN - 1) & -ALIGN;
	for (unsigned int i = 0; i < n + splice->attaches_before; i++) {
		const struct instruction *insn = &body->insns[first + i];
		struct shadow *shadow;

		if (!advices[i])
			continue;
		shadow = wv_vec_push(&weave->shadows);
		if (!shadow || weave->shadows.n > SHADOWS_MAX)
			errx(2, "too many shadows");
		*shadow = (struct shadow){
			.address = insn->insn.address, .live = insn->live & ~weave->forget,
			.advice = advices[i]
		};
	}
}

/* ---- functions that choose the splices of a function ----------------------------------------- */

typedef WV_VEC(struct splice) splices;

static int by_address(const void *a, const void *b)
{
	const struct splice *left = a, *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

static struct splice *add_splice(splices *list, uint64_t address, uint8_t length, uint8_t kind,
				 uint64_t slot, bool in_donor)
{
	struct splice *splice = wv_vec_push(list);

	if (!splice)
		err(2, "splices");
	*splice = (struct splice){
		.address = address, .length = length, .kind = kind, .slot = slot,
		.in_donor = in_donor
	};
	return splice;
}

static const uint8_t kinds[WV_SPLICES] = {
	[WV_SPLICE_CALL] = WEFT_SPLICE_CALL,
	[WV_SPLICE_JUMP] = WEFT_SPLICE_JUMP,
	[WV_SPLICE_SPRINGBOARD] = WEFT_SPLICE_SPRINGBOARD,
	[WV_SPLICE_TRAP] = WEFT_SPLICE_TRAP,
};

/*
 * Adds the displaced ranges of @choices and their donors to @ret. A range that several shadows
 * share is added several times.
 */
static void find_splices(struct weave *weave, const struct wv_choice *choices, size_t n,
			 splices *ret)
{
	for (const struct wv_choice *choice = choices; choice < choices + n; choice++) {
		if (choice->splice == WV_SPLICE_REFUSED) {
			weave->refused[choice->refusal]++;
			continue;
		}
		add_splice(ret, choice->address - choice->before, choice->displaced,
			   kinds[choice->splice], choice->slot, choice->donor)
			->attaches_before = choice->attaches_before;
		weave->attaches_before += choice->attaches_before;
		if (choice->donor)
			add_splice(ret, choice->slot - WEFT_JUMP_SIZE, choice->donor,
				   WEFT_SPLICE_JUMP, 0, false);
	}
	if (ret->n)
		qsort(ret->data, ret->n, sizeof(*ret->data), by_address);
}

bool weave_choose(const struct body *body, uint64_t shadow, struct splice *ret,
		  struct splice *donor_ret)
{
	struct wv_choice choice = { .address = shadow };
	wv_slots slots = { 0 };
	const struct wv_slot_source source = { .paddings = &body->paddings,
					       .slots = &slots,
					       .donors = true };
	struct wv_error error;

	*ret = *donor_ret = (struct splice){ 0 };
	if (wv_padding_holds(wv_chooser_padding(body->chooser), shadow))
		return false;
	if (wv_choose(body->chooser, &source, &choice, 1, &error))
		errx(2, "%s", error.message);
	wv_vec_deinit(&slots);
	if (choice.splice == WV_SPLICE_REFUSED)
		return false;
	*ret = (struct splice){ .address = shadow - choice.before,
				.length = choice.displaced,
				.kind = kinds[choice.splice],
				.slot = choice.slot,
				.in_donor = choice.donor,
				.attaches_before = choice.attaches_before };
	if (choice.donor)
		*donor_ret = (struct splice){
			.address = choice.slot - WEFT_JUMP_SIZE, .length = choice.donor,
			.kind = WEFT_SPLICE_JUMP
		};
	return true;
}

/* Returns the choices that have to be made, one for each shadow of @body. */
static struct wv_choice *list_choices(const struct body *body, const uint8_t *advices,
				      size_t *n_ret)
{
	struct wv_choice *choices = calloc(body->n + 1, sizeof(*choices));

	if (!choices)
		err(2, "choices");
	*n_ret = 0;
	for (size_t i = 0; i < body->n; i++)
		if (advices[i] && !wv_padding_holds(wv_chooser_padding(body->chooser),
						    body->insns[i].insn.address))
			choices[(*n_ret)++].address = body->insns[i].insn.address;
	return choices;
}

static void add_emitted(struct weave *weave, const struct splice *planned, const struct body *body,
			size_t first, const uint8_t *advices)
{
	struct splice *splice = wv_vec_push(&weave->splices.list);
	unsigned int n = 0;

	if (!splice)
		err(2, "splices");
	*splice = *planned;
	for (unsigned int length = 0; length < splice->length; n++)
		length += body->insns[first + n].insn.length;
	emit(weave, splice, body, first, n, advices + first);
	weave->by_kind[splice->kind] += splice->nr_shadows;
	weave->displaceable += splice->kind == WEFT_SPLICE_JUMP && n > 1;
	weave->donors += splice->in_donor;
}

void weave_add(struct weave *weave, const struct body *body, const uint8_t *advices)
{
	const struct wv_slot_source source = { .paddings = &body->paddings,
					       .slots = &weave->slots,
					       .donors = true };
	splices list = { 0 };
	struct wv_error error;
	size_t n, at = 0;
	struct wv_choice *choices = list_choices(body, advices, &n);

	if (weave->library != body->library)
		weave->slots.n = 0;
	weave->library = body->library;
	if (wv_choose(body->chooser, &source, choices, n, &error))
		errx(2, "%s", error.message);
	find_splices(weave, choices, n, &list);
	for (size_t i = 0; i < list.n; i++) {
		struct splice *splice = &list.data[i], *before = i ? splice - 1 : NULL;

		if (before && before->address == splice->address)
			continue;
		for (size_t same = i + 1;
		     same < list.n && list.data[same].address == splice->address; same++)
			splice->attaches_before |= list.data[same].attaches_before;
		if (before && before->address + before->length > splice->address)
			errx(2, "displaced ranges overlap at %#lx", (unsigned long)splice->address);
		while (at < body->n && body->insns[at].insn.address < splice->address)
			at++;
		if (at == body->n || body->insns[at].insn.address != splice->address)
			errx(2, "no instruction begins at %#lx", (unsigned long)splice->address);
		add_emitted(weave, splice, body, at, advices);
	}
	wv_vec_deinit(&list);
	free(choices);
}

/* ---- functions that print the summary of a weave --------------------------------------------- */

size_t weave_nr_refused(const struct weave *weave)
{
	size_t n = 0;

	for (size_t i = 0; i < WEFT_REFUSAL_COUNT; i++)
		n += weave->refused[i];
	return n;
}

void weave_print(const struct weave *weave, const char *what)
{
	printf("%s: %zu (%zu attached before) = call %zu + jump %zu (%zu over several) + "
	       "springboard %zu (%zu by donors) + trap %zu + refused %zu",
	       what, weave->shadows.n + weave_nr_refused(weave), weave->attaches_before,
	       weave->by_kind[WEFT_SPLICE_CALL], weave->by_kind[WEFT_SPLICE_JUMP],
	       weave->displaceable, weave->by_kind[WEFT_SPLICE_SPRINGBOARD], weave->donors,
	       weave->by_kind[WEFT_SPLICE_TRAP], weave_nr_refused(weave));
	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++)
		if (weave->refused[i])
			printf(" %s %zu", wv_refusal_name(i), weave->refused[i]);
	printf("\n");
}

/* ---- functions that write to the text -------------------------------------------------------- */

void weave_open_text(const struct library *library)
{
	uint64_t start = library->text & -(uint64_t)PAGE;

	if (mprotect((void *)(uintptr_t)start, library->text + library->text_size - start,
		     PROT_READ | PROT_WRITE | PROT_EXEC))
		err(2, "%s: text that can be written", library->name);
}

/* Writes @bytes; the bytes there must be @old. */
static void write_text(uint64_t address, const uint8_t *old, const uint8_t *bytes, size_t n)
{
	if (memcmp((void *)(uintptr_t)address, old, n))
		errx(2, "the text at %#lx is another", (unsigned long)address);
	memcpy((void *)(uintptr_t)address, bytes, n);
}

/*
 * Writes the original bytes @old of a splice back. Returns how many of its bytes were not @bytes.
 */
static size_t restore_text(uint64_t address, const uint8_t *bytes, const uint8_t *old, size_t n)
{
	uint8_t *text = (uint8_t *)(uintptr_t)address;
	size_t others = 0;

	for (size_t i = 0; i < n; i++)
		others += text[i] != bytes[i];
	memcpy(text, old, n);
	return others;
}

/* The bytes after a donor's jump. */
static const uint8_t dead[WEFT_JUMP_SIZE] = { INT3, INT3, INT3, INT3, INT3 };

void weave_arm(struct weave *weave)
{
	wv_vec_for_each(splice, &weave->splices.list) {
		set_trap(splice, true);
		write_text(splice->address, splice->old, splice->bytes, splice->length);
	}
	wv_vec_for_each(splice, &weave->splices.list)
		if (splice->kind == WEFT_SPLICE_SPRINGBOARD)
			write_text(splice->slot, splice->in_donor ? dead : splice->slot_old,
				   splice->slot_bytes, WEFT_JUMP_SIZE);
}

size_t weave_disarm(struct weave *weave)
{
	size_t others = 0;

	wv_vec_for_each(splice, &weave->splices.list)
		if (splice->kind == WEFT_SPLICE_SPRINGBOARD)
			others += restore_text(splice->slot, splice->slot_bytes,
					       splice->in_donor ? dead : splice->slot_old,
					       WEFT_JUMP_SIZE);
	wv_vec_for_each(splice, &weave->splices.list) {
		others += restore_text(splice->address, splice->bytes, splice->old, splice->length);
		set_trap(splice, false);
	}
	return others;
}
