// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats the report of `weft explain` about one splice; see explain-report.h. Text and JSON have
 * the same content.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text-table.h"
#include "base/notation.h"
#include "cmds/explain-report.h"
#include "cmds/plan-report.h"
#include "splice/refusal.h"

/* What the functions of the report share. */
struct report {
	struct wv_db *db;
	const struct wv_explanation *explanation;
	struct wv_decoder *decoder;
	struct wv_str *out;
};

static const char *const register_names[] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
	"r9",  "r10", "r11", "r12", "r13", "r14", "r15", "flags",
};

enum {
	NR_NAMES = sizeof(register_names) / sizeof(register_names[0]),
	TEXT_SIZE = 256,
	HEX_SIZE = 3 * WEFT_DISPLACED_MAX + 1
};

static void add_hex(struct wv_str *out, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		wv_str_addf(out, "%s%02x", i ? " " : "", bytes[i]);
}

/*
 * Returns the name that the report shows for @address: the name of a placeholder
 * (name_variables()), "trampoline" for an address in the trampoline, or the name of a symbol of the
 * kernel. Returns NULL if there is no name. Sets *@offset_ret to the distance in bytes from what
 * has the name to @address.
 */
static const char *name_of(void *context, uint64_t address, uint64_t *offset_ret)
{
	const struct report *report = context;
	const struct wv_preview *preview = &report->explanation->preview;
	const char *name = wv_preview_name(preview, address);

	*offset_ret = 0;
	if (name)
		return name;
	if (report->explanation->spliced && address - preview->trampoline < preview->code_size) {
		*offset_ret = address - preview->trampoline;
		return "trampoline";
	}
	return wv_db_symbol_at(report->db, address, offset_ret);
}

/*
 * Replaces the placeholders in @text, the text of an instruction, by their names. The report shows
 * the trampoline that weft.ko would make. Where the trampoline needs a number that only the running
 * kernel knows, it has a placeholder instead: a number that nothing else has.
 */
static void name_variables(const struct wv_preview *preview, char *text, size_t size)
{
	for (char *at = strstr(text, "0x"); at; at = strstr(at, "0x")) {
		char *end, rest[TEXT_SIZE];
		const char *name = wv_preview_name(preview, strtoull(at, &end, 16));

		if (!name && at > text && at[-1] == '-')
			name = wv_preview_name(preview, -strtoull(at, &end, 16));
		if (!name) {
			at = end > at + 1 ? end : at + 2;
			continue;
		}
		if (at > text && at[-1] == '-')
			at--;
		snprintf(rest, sizeof(rest), "%s", end);
		snprintf(at, size - (at - text), "%s%s", name, rest);
		at += strlen(name);
	}
}

/*
 * Disassembles the @n bytes at @bytes, whose address is @address. Calls @show for each instruction,
 * with the text of the instruction.
 */
static void disassemble(struct report *report, const uint8_t *bytes, size_t n, uint64_t address,
			void (*show)(struct report *report, uint64_t address, const uint8_t *bytes,
				     size_t length, const char *text, void *context),
			void *context)
{
	for (size_t at = 0; at < n;) {
		char text[TEXT_SIZE];
		size_t length = wv_decode_text(report->decoder, bytes + at, n - at, address + at,
					       name_of, report, text, sizeof(text));

		if (!length) {
			length = 1;
			snprintf(text, sizeof(text), "(bad)");
		}
		name_variables(&report->explanation->preview, text, sizeof(text));
		show(report, address + at, bytes + at, length, text, context);
		at += length;
	}
}

/* ---- the report as text ---------------------------------------------------------------------- */

static void show_row(struct report *report, uint64_t address, const uint8_t *bytes, size_t length,
		     const char *text, void *context)
{
	_cleanup_str_ struct wv_str name = { 0 }, hex = { 0 };
	struct wv_text_table *table = context;
	uint64_t offset;
	const char *symbol = name_of(report, address, &offset);

	wv_str_add_address(&name, address, symbol, offset);
	add_hex(&hex, bytes, length);
	wv_text_table_add(table, "  %s%s", wv_str_text(&name),
		       address == report->explanation->choice.address ? " *" : "");
	wv_text_table_text(table, wv_str_text(&hex));
	wv_text_table_text(table, text);
}

static void show_code(struct report *report, const char *title, const uint8_t *bytes, size_t n,
		      uint64_t address)
{
	_cleanup_text_table_ struct wv_text_table table = { .n = 3 };

	wv_str_addf(report->out, "\n%s\n", title);
	disassemble(report, bytes, n, address, show_row, &table);
	wv_text_table_print(&table, report->out);
}

/*
 * Appends to @words why a splice of the kind @splice was chosen or not. @displaced says whether a
 * jump over several instructions is meant. If this was not chosen, there are two reasons: one why
 * no range that begins at the shadow was taken, and one why no range that begins before the shadow
 * was taken. Then appends nothing and returns false, and the caller writes both reasons.
 */
static bool explain_splice(struct report *report, enum wv_splice splice, bool displaced,
			   struct wv_str *words)
{
	const struct wv_choice *choice = &report->explanation->choice;
	struct wv_phrase length = wv_count_text(choice->length, "byte");
	struct wv_phrase covered = wv_count_text(choice->displaced, "byte");
	struct wv_phrase instructions = wv_count_text(choice->instructions, "instruction");
	bool taken = choice->splice == splice &&
		     (splice != WV_SPLICE_JUMP || displaced == (choice->instructions > 1));

	switch (splice) {
	case WV_SPLICE_CALL:
		wv_str_add(words, taken ? "taken: a direct call of 5 bytes"
					: "no: it is not a direct call of 5 bytes");
		return true;
	case WV_SPLICE_JUMP:
		if (taken && choice->attaches_before)
			wv_str_addf(
				words,
				"taken: %s, %s, right before the shadow, which no branch reaches",
				covered.text, instructions.text);
		else if (!displaced && taken)
			wv_str_addf(words, "taken: it has %s, a jump needs 5", length.text);
		else if (!displaced && choice->attaches_before)
			wv_str_add(words, "no: its bytes must be neither changed nor moved");
		else if (!displaced && choice->length < WEFT_JUMP_SIZE)
			wv_str_addf(words, "no: it has %s, a jump needs 5", length.text);
		else if (!displaced)
			wv_str_add(words, "no: there is a branch target inside it");
		else if (taken)
			wv_str_addf(words, "taken: %s, %s, from %u before the shadow", covered.text,
				    instructions.text, choice->before);
		else
			return false; /* the caller writes the two reasons */
		return true;
	case WV_SPLICE_SPRINGBOARD:
		if (taken) {
			wv_str_addf(words, "taken: %s, and a slot in %s at ", covered.text,
				    choice->donor ? "a donor" : "padding");
			wv_plan_name(report->db, choice->slot, words);
		} else if (choice->no_slot) {
			wv_str_add(words, "no: 2 bytes or more can be displaced, but no free slot "
					  "is within 127 bytes of them");
		} else {
			wv_str_add(words, "no: not even 2 bytes can be displaced");
		}
		return true;
	default:
		wv_str_add(words, "taken: an int3 needs 1 byte and fits everywhere");
		return true;
	}
}

static const struct step {
	const char *name;
	enum wv_splice splice;
	bool displaced;
} steps[] = {
	{ "call", WV_SPLICE_CALL, false },
	{ "jump over one instruction", WV_SPLICE_JUMP, false },
	{ "jump over several instructions", WV_SPLICE_JUMP, true },
	{ "springboard", WV_SPLICE_SPRINGBOARD, false },
	{ "trap", WV_SPLICE_TRAP, false },
};

/*
 * Calls @show for each kind of splice, in the order in which the kinds are tried, up to the chosen
 * one. @words says why the kind was chosen or not.
 */
static void each_step(struct report *report,
		      void (*show)(struct report *report, const char *name, const char *words,
				   void *context),
		      void *context)
{
	const struct wv_choice *choice = &report->explanation->choice;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct step *step = &steps[i];
		_cleanup_str_ struct wv_str words = { 0 }, back = { 0 };

		if (explain_splice(report, step->splice, step->displaced, &words)) {
			show(report, step->name, wv_str_text(&words), context);
		} else {
			wv_str_add(&words, "no: ");
			wv_plan_why(report->db, &choice->forward, &words);
			show(report, "from the shadow on", wv_str_text(&words), context);
			wv_str_add(&back, "no: ");
			wv_plan_why(report->db, &choice->back, &back);
			show(report, "from before it", wv_str_text(&back), context);
		}
		if (step->splice == choice->splice &&
		    (step->splice != WV_SPLICE_JUMP ||
		     step->displaced == (choice->instructions > 1)))
			return;
	}
}

static void show_step(struct report *report, const char *name, const char *words, void *context)
{
	wv_str_addf(report->out, "  %-30s %s\n", name, words);
}

static void show_live(struct report *report)
{
	const struct wv_explanation *explanation = report->explanation;
	const char *before = "";

	wv_str_add(report->out, "\nlive here: ");
	if (explanation->live == WEFT_LIVE_UNKNOWN)
		wv_str_add(report->out, "not known, so everything is saved");
	else
		for (unsigned int i = 0; i < NR_NAMES; i++) {
			if (!(explanation->live & 1u << i))
				continue;
			wv_str_addf(report->out, "%s%s", before, register_names[i]);
			before = " ";
		}
	wv_str_add(report->out, "\n");
	if (explanation->sanitize)
		wv_str_add(
			report->out,
			"sanitize: the function may set the direction flag or open user memory\n");
}

static void show_head(struct report *report)
{
	const struct wv_choice *choice = &report->explanation->choice;

	wv_plan_name(report->db, choice->address, report->out);
	wv_str_addf(report->out, ": %s", wv_splice_name(choice->splice));
	if (choice->splice == WV_SPLICE_REFUSED)
		wv_str_addf(report->out, ": %s: %s", wv_refusal_name(choice->refusal),
			    wv_refusal_reason(choice->refusal));
	else if (choice->instructions > 1)
		wv_str_addf(report->out, " over %s",
			    wv_count_text(choice->instructions, "instruction").text);
	wv_str_addf(report->out, "\nowner: %s\n",
		    report->explanation->owner ? report->explanation->owner : "none in the image");
	if (choice->attaches_before)
		wv_str_add(report->out, "attached before: its own bytes stay, the splice ends "
					"before them; for before-advice that does not "
					"name $target, other advice is refused here\n");
}

int wv_explain_text(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	const struct wv_preview *preview = &explanation->preview;
	struct report report = { .db = db, .explanation = explanation, .out = out };
	uint8_t bytes[WEFT_INSN_MAX];
	int ret = wv_decoder_create(&decoder, error);

	if (ret)
		return ret;
	report.decoder = decoder;
	show_head(&report);
	if (!explanation->spliced) {
		wv_db_text_bytes(db, explanation->choice.address, bytes,
				 explanation->choice.length);
		show_code(&report, "instruction:", bytes, explanation->choice.length,
			  explanation->choice.address);
		return out->failed ? wv_no_memory(error) : 0;
	}
	wv_str_add(out, "\nthe choice:\n");
	each_step(&report, show_step, NULL);
	show_live(&report);
	show_code(&report,
		  explanation->choice.attaches_before ? "before, up to the shadow:"
						      : "before (* the shadow):",
		  preview->before, preview->size, preview->start);
	show_code(&report, "after:", preview->after, preview->size, preview->start);
	if (explanation->choice.splice == WV_SPLICE_SPRINGBOARD)
		show_code(&report, "the slot:", preview->slot, WEFT_JUMP_SIZE,
			  explanation->choice.slot);
	show_code(&report, "the trampoline, for an advice that names no variable:", preview->code,
		  preview->code_size, preview->trampoline);
	return out->failed ? wv_no_memory(error) : 0;
}

/* ---- the report as JSON ---------------------------------------------------------------------- */

static void add_insn(struct report *report, uint64_t address, const uint8_t *bytes, size_t length,
		     const char *text, void *context)
{
	_cleanup_str_ struct wv_str hex = { 0 };
	struct wv_json *json = context;

	add_hex(&hex, bytes, length);
	wv_json_begin_object(json, NULL);
	wv_json_hex(json, "address", address);
	wv_json_str(json, "bytes", &hex);
	wv_json_text(json, "text", text);
	wv_json_end_object(json);
}

static void add_code(struct report *report, struct wv_json *json, const char *key,
		     const uint8_t *bytes, size_t n, uint64_t address)
{
	wv_json_begin_array(json, key);
	disassemble(report, bytes, n, address, add_insn, json);
	wv_json_end_array(json);
}

static void add_step(struct report *report, const char *name, const char *words, void *context)
{
	struct wv_json *json = context;

	wv_json_begin_object(json, NULL);
	wv_json_text(json, "splice", name);
	wv_json_text(json, "verdict", words);
	wv_json_end_object(json);
}

static void add_live(struct wv_json *json, uint32_t live)
{
	wv_json_begin_array(json, "live");
	for (unsigned int i = 0; i < NR_NAMES; i++)
		if (live & 1u << i)
			wv_json_text(json, NULL, register_names[i]);
	wv_json_end_array(json);
}

static void add_splice(struct report *report, struct wv_json *json)
{
	const struct wv_explanation *explanation = report->explanation;
	const struct wv_preview *preview = &explanation->preview;
	const struct wv_choice *choice = &explanation->choice;

	wv_json_begin_array(json, "choice");
	each_step(report, add_step, json);
	wv_json_end_array(json);
	if (explanation->live != WEFT_LIVE_UNKNOWN)
		add_live(json, explanation->live);
	wv_json_bool(json, "sanitize", explanation->sanitize);
	add_code(report, json, "before_text", preview->before, preview->size, preview->start);
	add_code(report, json, "after_text", preview->after, preview->size, preview->start);
	if (choice->splice == WV_SPLICE_SPRINGBOARD)
		add_code(report, json, "slot_text", preview->slot, WEFT_JUMP_SIZE, choice->slot);
	add_code(report, json, "trampoline", preview->code, preview->code_size,
		 preview->trampoline);
}

int wv_explain_json(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	const struct wv_choice *choice = &explanation->choice;
	struct report report = { .db = db, .explanation = explanation, .out = out };
	struct wv_json json = WV_JSON(out);
	const char *module = wv_db_module_at(db, choice->address);
	_cleanup_str_ struct wv_str name = { 0 };
	int ret = wv_decoder_create(&decoder, error);

	if (ret)
		return ret;
	report.decoder = decoder;
	wv_plan_name(db, choice->address, &name);
	wv_json_begin_object(&json, NULL);
	wv_json_str(&json, "shadow", &name);
	if (module)
		wv_json_text(&json, "module", module);
	else
		wv_json_hex(&json, "address", choice->address);
	wv_plan_keys(choice, &json);
	wv_json_text_if(&json, "owner", explanation->owner);
	if (explanation->spliced)
		add_splice(&report, &json);
	wv_json_end_object(&json);
	return out->failed ? wv_no_memory(error) : 0;
}
