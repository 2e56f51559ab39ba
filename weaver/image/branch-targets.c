// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects branch targets; see branch-targets.h. Decodes the text from each symbol to the next, as
 * weaver/plan does. A table of addresses, as of a switch statement, is not marked as such in the
 * image. So every aligned word of data is taken for a branch target if it is an address in text.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "x86/decode.h"
#include "base/order.h"
#include "image/branch-targets.h"

enum { INT3 = 0xcc };

/* A contiguous part of text. */
struct stretch {
	uint64_t start, end;
	bool named; /* the stretch begins at a symbol */
};

struct collector {
	struct wv_image *image;
	const struct wv_symbols *symbols;
	struct wv_branch_targets *branch_targets;
	WV_VEC(struct stretch) text; /* all executable text */
	struct wv_error *error;
};

static bool is_text(const struct collector *collector, uint64_t address)
{
	wv_vec_for_each(stretch, &collector->text)
		if (address - stretch->start < stretch->end - stretch->start)
			return true;
	return false;
}

static int add(struct collector *collector, uint64_t address)
{
	size_t symbol;
	uint64_t *slot;

	if (!is_text(collector, address))
		return 0;
	symbol = wv_symbols_from(collector->symbols, address);
	if (symbol < collector->symbols->list.n &&
	    collector->symbols->list.data[symbol].address == address)
		return 0;
	slot = wv_vec_push(&collector->branch_targets->list);
	if (!slot)
		return wv_no_memory(collector->error);
	*slot = address;
	return 0;
}

static bool is_symbol(const struct collector *collector, uint64_t address)
{
	size_t symbol = wv_symbols_from(collector->symbols, address);

	return symbol < collector->symbols->list.n &&
	       collector->symbols->list.data[symbol].address == address;
}

/*
 * Adds a call or tail call from one function to another to the list of calls. The instruction at
 * @address is a direct call, or a direct jump to outside of @stretch. Adds nothing unless @stretch
 * begins at a symbol and @target is the address of a symbol.
 */
static int add_call(struct collector *collector, const struct stretch *stretch, uint64_t address,
		    uint64_t target)
{
	struct wv_direct_call *slot;

	if (!stretch->named || !is_symbol(collector, target))
		return 0;
	slot = wv_vec_push(&collector->branch_targets->calls);
	if (!slot)
		return wv_no_memory(collector->error);
	*slot = (struct wv_direct_call){ address, target };
	return 0;
}

static int look_at(struct collector *collector, const struct stretch *stretch, uint64_t address,
		   const struct wv_insn *insn)
{
	const bool leaves = insn->direct &&
			    insn->target - stretch->start >= stretch->end - stretch->start;
	int ret = 0;

	if (leaves)
		ret = add(collector, insn->target);
	if (!ret &&
	    (leaves || (insn->control == WR_CONTROL_CALL && insn->target == stretch->start)))
		ret = add_call(collector, stretch, address, insn->target);
	if (!ret && insn->relative)
		ret = add(collector, insn->operand);
	if (!ret && insn->has_constant)
		ret = add(collector, insn->constant);
	if (!ret && insn->has_memory)
		ret = add(collector, insn->displacement);
	return ret;
}

static int decode(struct collector *collector, const struct stretch *stretch, const uint8_t *bytes)
{
	const size_t size = stretch->end - stretch->start;
	int ret = 0;

	for (size_t at = 0; at < size && !ret;) {
		struct wv_insn insn;
		size_t length;

		/* Skip int3s without the decoder: megabytes of int3 pad text to large pages. */
		length = bytes[at] == INT3 ? 1 :
			 wv_decode_rules(bytes + at, size - at, stretch->start + at, &insn);
		if (length && bytes[at] != INT3)
			ret = look_at(collector, stretch, stretch->start + at, &insn);
		at += length ? length : 1;
	}
	return ret;
}

/*
 * Collects the branch targets and calls in the text of one section, including text before the first
 * symbol.
 */
static int read_text(struct collector *collector, const struct wv_section *section)
{
	const struct wv_symbols *symbols = collector->symbols;
	const uint64_t end = section->address + section->size;
	struct stretch stretch = { .end = section->address };
	size_t next = wv_symbols_from(symbols, section->address + 1);
	int ret = 0;

	while (stretch.end < end && !ret) {
		stretch.start = stretch.end;
		stretch.named = stretch.start != section->address ||
				is_symbol(collector, stretch.start);
		while (next < symbols->list.n && symbols->list.data[next].address == stretch.start)
			next++;
		stretch.end = next < symbols->list.n && symbols->list.data[next].address < end ?
				      symbols->list.data[next].address : end;
		ret = decode(collector, &stretch,
			     section->data + (stretch.start - section->address));
	}
	return ret;
}

static int read_words(struct collector *collector, const struct wv_section *section)
{
	int ret = 0;

	for (size_t at = -section->address % sizeof(uint64_t);
	     at + sizeof(uint64_t) <= section->size && !ret; at += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, section->data + at, sizeof(word));
		ret = add(collector, word);
	}
	return ret;
}

static int read_section(struct collector *collector, const struct wv_section *section)
{
	bool runs = section->flags & SHF_EXECINSTR;
	int ret;

	if (!(section->flags & SHF_ALLOC) || section->type != SHT_PROGBITS)
		return 0;
	ret = wv_image_load(collector->image, section, collector->error);
	if (ret || !section->data)
		return ret;
	return runs ? read_text(collector, section) : read_words(collector, section);
}

static int find_text(struct collector *collector)
{
	wv_vec_for_each(section, wv_image_sections(collector->image)) {
		struct stretch *stretch;

		if (!(section->flags & SHF_ALLOC) || !(section->flags & SHF_EXECINSTR))
			continue;
		stretch = wv_vec_push(&collector->text);
		if (!stretch)
			return wv_no_memory(collector->error);
		*stretch = (struct stretch){ .start = section->address,
					     .end = section->address + section->size };
	}
	return 0;
}

static int compare(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static int compare_calls(const void *left, const void *right)
{
	const struct wv_direct_call *a = left, *b = right;

	return wv_order(a->address, b->address);
}

static void sort(struct wv_branch_targets *branch_targets)
{
	uint64_t *list = branch_targets->list.data;
	size_t n = 0;

	if (branch_targets->calls.n)
		qsort(branch_targets->calls.data, branch_targets->calls.n,
		      sizeof(*branch_targets->calls.data), compare_calls);
	if (!branch_targets->list.n)
		return;
	qsort(list, branch_targets->list.n, sizeof(*list), compare);
	for (size_t i = 0; i < branch_targets->list.n; i++)
		if (!n || list[n - 1] != list[i])
			list[n++] = list[i];
	branch_targets->list.n = n;
}

int wv_branch_targets_init(struct wv_branch_targets *branch_targets, struct wv_image *image,
			   const struct wv_symbols *symbols, const struct wv_owners *owners,
			   struct wv_error *error)
{
	struct collector collector = {
		.image = image, .symbols = symbols, .branch_targets = branch_targets, .error = error
	};
	int ret;

	memset(branch_targets, 0, sizeof(*branch_targets));
	ret = find_text(&collector);
	wv_vec_for_each(section, wv_image_sections(image))
		if (!ret)
			ret = read_section(&collector, section);
	wv_vec_for_each(owner, &owners->list)
		if (!ret)
			ret = add(&collector, owner->target);
	if (ret)
		wv_branch_targets_deinit(branch_targets);
	else
		sort(branch_targets);
	wv_vec_deinit(&collector.text);
	return ret;
}

void wv_branch_targets_deinit(struct wv_branch_targets *branch_targets)
{
	wv_vec_deinit(&branch_targets->list);
	wv_vec_deinit(&branch_targets->calls);
}
