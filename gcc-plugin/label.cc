// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels instructions, in the last pass before a function is printed. An instruction's memory
 * operand still has the source expression it came from (MEM_EXPR). If that expression's member and
 * location are those of an access, a note is inserted before the instruction, which pass `final`
 * prints as a local label. A note has no length, instructions are not changed, and the label
 * numbers are in a range of the plugin's own. So the code is the same as without the plugin.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "asm-template.h"
#include "by-address.h"
#include "lowered.h"
#include "merged.h"
#include "reference.h"
#include "survivor.h"

/* Above all label numbers that GCC assigns itself. */
#define FIRST_LABEL 1000000000

/* An instruction has fewer distinct memory operands than this. */
#define OPERANDS_MAX 32

/* A memory operand and what the instruction does with it. */
struct operand {
	rtx memory;
	/* load or store; an operand that does both has two elements */
	enum weft_access_effect role;
	enum weft_access_effect effect; /* the effect of the whole instruction */
};

struct operands {
	struct operand at[OPERANDS_MAX];
	unsigned count;
};

/* The state while one function is labelled. */
struct labelling {
	tree function;
	bool switched; /* the current instruction is in the second of the function's two sections */
	wp_range *range; /* the current section's range; NULL before its first label */
	rtx_insn *insn;
	int label; /* the label of .insn; 0: it has none yet */
	enum weft_access_effect effect;
	vec<wp_entry> *collected; /* if not NULL: nothing is labelled, entries are added here */
};

static int next_label = FIRST_LABEL;

static int insert_label(rtx_insn *insn)
{
	rtx_note *note = emit_note_before(NOTE_INSN_DELETED, insn);

	/*
	 * emit_note_before() cannot make a note of this kind, which needs a number and a name. So
	 * change the kind of another note.
	 */
	NOTE_KIND(note) = NOTE_INSN_DELETED_LABEL;
	CODE_LABEL_NUMBER(note) = next_label;
	NOTE_DELETED_LABEL_NAME(note) = NULL;
	return next_label++;
}

/*
 * The section (hot or cold) that the instruction being labelled will be in. GCC's pass `final`,
 * which runs later, chooses the section by the same rule: a partitioned function begins in the
 * section of its first block.
 */
static const void *section_of_part(const labelling *labelling)
{
	bool cold = crtl->has_bb_partition &&
		    BB_PARTITION(ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb) == BB_COLD_PARTITION;
	bool before = in_cold_section_p;

	in_cold_section_p = cold != labelling->switched;
	const void *part = current_function_section();
	in_cold_section_p = before;
	return part;
}

static void begin_range(labelling *labelling)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(labelling->function));
	wp_range range = {};

	range.function = wp_string(name + (*name == '*'));
	range.flags = (TREE_PUBLIC(labelling->function) ? 0 : WEFT_FUNCTION_STATIC) |
		      (DECL_DECLARED_INLINE_P(labelling->function) ? WEFT_FUNCTION_INLINE : 0);
	range.section = section_of_part(labelling);
	range.first_entry = wp_entries.length();
	wp_ranges.safe_push(range);
	labelling->range = &wp_ranges.last();
}

static void add_entry(unsigned access, void *data)
{
	labelling *at = (labelling *)data;

	if (at->collected) {
		/*
		 * The location of an instruction that accesses memory may also be one where an
		 * address is taken: another instruction does that.
		 */
		if (wp_accesses[access].kind != WEFT_KIND_ADDRESS)
			at->collected->safe_push({ 0, access, at->effect });
		return;
	}
	if (!at->range)
		begin_range(at);
	if (!at->label)
		at->label = insert_label(at->insn);
	for (unsigned i = wp_entries.length();
	     i-- > at->range->first_entry && wp_entries[i].label == at->label;) {
		if (wp_entries[i].access == access && wp_entries[i].effect == at->effect)
			return;
	}
	wp_entry entry = { at->label, access, at->effect };

	wp_entries.safe_push(entry);
	wp_accesses[access].labelled = true;
	wp_fate_label(access, at->insn, at->label, at->effect);
	at->range->entry_count++;
	if (wp_accesses[access].also)
		add_entry(wp_accesses[access].also, data);
}

/* Adds an access and, if it loads a function pointer that is called, the access of that call. */
static void add_with_call(unsigned access, void *data)
{
	labelling *at = (labelling *)data;
	unsigned call = at->effect != WEFT_EFFECT_STORE ? wp_calls_fed_by(access) : 0;

	add_entry(access, at);
	if (call)
		add_entry(call, at);
}

static void add_entries(unsigned access, void *data)
{
	if (!access)
		return;
	add_with_call(access, data);
	while ((access = wp_accesses[access].whole))
		add_entry(access, data);
}

/*
 * Labels the instruction for what an operand does to a member whose address was taken before.
 * @access: the access of the member that the operand itself names; 0 if it names no member.
 */
static void label_by_address(labelling *labelling, const operand *operand, unsigned access)
{
	location_t where = INSN_LOCATION(labelling->insn);
	location_t own = EXPR_LOCATION(MEM_EXPR(operand->memory));
	wp_bits bits;

	if (access)
		wp_by_address_member(where, own, access, add_entry, labelling);
	else if (wp_bits_init_memory(&bits, operand->memory))
		wp_by_address_memory(where, own, bits.count, operand->role, add_entry, labelling);
}

/*
 * Labels an operand whose MEM_EXPR names no known member: the access is found by bits and location.
 * Returns the access; 0 if none was found.
 */
static unsigned label_bits(labelling *labelling, const operand *operand)
{
	wp_code_location place = { INSN_LOCATION(labelling->insn), labelling->function };
	unsigned access, likely;
	wp_bits bits;

	if (!wp_bits_init_memory(&bits, operand->memory))
		return 0;
	access = wp_access_of_bits(&place, EXPR_LOCATION(MEM_EXPR(operand->memory)), &bits,
				   operand->role);
	likely = wp_lowered_likely(MEM_EXPR(operand->memory), operand->role);
	if (access && wp_access_is_part(likely, access))
		access = likely;
	add_entries(access, labelling);
	return access;
}

/* Whether @memory is that of an atomic builtin, which has an alias set of its own. */
static bool is_builtin(const_rtx memory)
{
	return MEM_ALIAS_SET(memory) == ALIAS_SET_MEMORY_BARRIER;
}

/*
 * Whether @memory may be the word of a bit-field: expansion makes the memory of a bit-field from
 * that of its struct, and forgets the expression if the word is not the struct's first one.
 */
static bool is_word(const_rtx memory)
{
	return !MEM_EXPR(memory) && MEM_KEEP_ALIAS_SET_P(memory);
}

/*
 * Labels the word of a bit-field. It has no expression, so the place is that of the instruction. If
 * the address is a pointer and an offset, this has to be that of a word in which the bit-field
 * lies. If the memory is a variable in the stack frame, the offset says nothing about this.
 */
static void label_word(labelling *labelling, const operand *operand, int count)
{
	location_t where = wp_pure(INSN_LOCATION(labelling->insn));
	const_rtx address = XEXP(operand->memory, 0), pointer = address;
	HOST_WIDE_INT offset = 0;
	unsigned access = 0;

	if (GET_CODE(address) == PLUS && CONST_INT_P(XEXP(address, 1))) {
		offset = INTVAL(XEXP(address, 1));
		pointer = XEXP(address, 0);
	}
	if (!REG_P(pointer))
		return;
	if (REGNO(pointer) != STACK_POINTER_REGNUM &&
	    !(frame_pointer_needed && REGNO(pointer) == HARD_FRAME_POINTER_REGNUM)) {
		if (offset < 0 || offset >= INT_MAX / BITS_PER_UNIT)
			return;
		wp_bits bits = { (int)offset * BITS_PER_UNIT, count, 0, 0 };

		access = wp_access_find_bits(where, &bits, operand->role);
	}
	/* After a cast, or in an inlined function, the offset may count from another pointer. */
	if (!wp_accesses[access].extent.bit_field)
		access = wp_access_find_bit_field(where, operand->role);
	if (access && wp_accesses[access].extent.bit_field)
		add_entries(access, labelling);
}

/*
 * Labels an operand without MEM_EXPR: the memory of an atomic builtin, the word of a bit-field, or
 * volatile memory. Volatile memory has lost its MEM_EXPR when two copies of one load were merged.
 * If other volatile accesses of the function were merged, too, it may be one of those, and gets no
 * label.
 */
static void label_bare(labelling *labelling, const operand *operand)
{
	location_t where = INSN_LOCATION(labelling->insn);
	HOST_WIDE_INT bits;

	if (!GET_MODE_BITSIZE(GET_MODE(operand->memory)).is_constant(&bits))
		return;
	if (is_builtin(operand->memory))
		wp_by_address_builtin(where, (int)bits, operand->effect, add_entry, labelling);
	else if (is_word(operand->memory) && !MEM_VOLATILE_P(operand->memory))
		label_word(labelling, operand, (int)bits);
	else if (!wp_merged_volatile((int)bits, operand->role == WEFT_EFFECT_STORE))
		wp_by_address_memory(where, UNKNOWN_LOCATION, (int)bits, operand->role, add_entry,
				     labelling);
}

static void label_operand(labelling *labelling, const operand *operand)
{
	wp_code_location place = { INSN_LOCATION(labelling->insn), labelling->function };
	tree expression = MEM_EXPR(operand->memory);
	bool found = false;

	labelling->effect = operand->effect;
	if (!expression)
		return label_bare(labelling, operand);
	if (wp_lowered_find(expression, operand->role, true, add_with_call, labelling))
		return;
	for (tree reference = expression; handled_component_p(reference);
	     reference = TREE_OPERAND(reference, 0)) {
		if (TREE_CODE(reference) != COMPONENT_REF || !DECL_NAME(TREE_OPERAND(reference, 1)))
			continue;
		unsigned access = wp_access_of_member(&place, reference, operand->role);

		if (access) {
			add_entries(access, labelling);
			label_by_address(labelling, operand, access);
			found = true;
		}
	}
	if (found)
		return;
	unsigned access = label_bits(labelling, operand);

	label_by_address(labelling, operand, access);
	if (!access)
		wp_lowered_find(expression, operand->role, false, add_entries, labelling);
}

/*
 * Returns what an asm statement does to one of its operands. In `incq %0` with an output "=m"
 * (v->n) and an input "m" (v->n) both operands are the same memory, and the template may mention
 * either.
 */
static wp_asm_use use_in_asm(const char *text, const rtx *operands, int count, int number)
{
	wp_asm_use use = {};

	if (!MEM_P(operands[number]))
		return use;
	use = wp_asm_use_of(text, number);
	for (int i = 0; i < count && !use.mentioned; i++) {
		if (i != number && rtx_equal_p(operands[i], operands[number]))
			use = wp_asm_use_of(text, i);
	}
	return use;
}

/*
 * Labels what an asm statement does to its operands in memory. The label is where the asm begins,
 * so only operands of its first instruction are labelled.
 */
static void label_asm(labelling *labelling, int count)
{
	rtx operands[MAX_RECOG_OPERANDS];
	const char *text;

	if (count > MAX_RECOG_OPERANDS)
		return;
	text = decode_asm_operands(PATTERN(labelling->insn), operands, NULL, NULL, NULL, NULL);
	for (int i = 0; i < count; i++) {
		wp_asm_use use = use_in_asm(text, operands, count, i);

		labelling->effect = use.effect;
		/* Without MEM_EXPR, the asm may have been merged with an asm of other memory. */
		if (!use.known || !use.first || (!MEM_EXPR(operands[i]) && wp_merged_asm(text)) ||
		    wp_by_address_asm(INSN_LOCATION(labelling->insn), i, use.effect, add_entry,
				      labelling) ||
		    !MEM_EXPR(operands[i]))
			continue;
		operand it = { operands[i], use.effect, use.effect };

		if (use.effect == WEFT_EFFECT_RMW) {
			it.role = WEFT_EFFECT_LOAD;
			label_operand(labelling, &it);
			it.role = WEFT_EFFECT_STORE;
		}
		label_operand(labelling, &it);
	}
}

/*
 * Adds a memory operand. An operand that is loaded and stored is added twice (roles load and store,
 * effect rmw), since the source may have two accesses for it.
 */
static void add_operand(operands *operands, rtx memory, enum weft_access_effect role,
			enum weft_access_effect effect)
{
	if (!MEM_EXPR(memory) && !is_builtin(memory) && !MEM_VOLATILE_P(memory) &&
	    !is_word(memory))
		return;
	for (unsigned i = 0; i < operands->count; i++) {
		operand *it = &operands->at[i];

		if (!rtx_equal_p(it->memory, memory))
			continue;
		if (it->role == role && MEM_EXPR(it->memory) == MEM_EXPR(memory))
			return;
		if (it->role != role)
			it->effect = effect = WEFT_EFFECT_RMW;
	}
	if (operands->count < OPERANDS_MAX)
		operands->at[operands->count++] = { memory, role, effect };
}

static void add_loads(operands *operands, const_rtx from)
{
	subrtx_iterator::array_type array;

	FOR_EACH_SUBRTX(i, array, from, NONCONST)
	{
		if (MEM_P(*i))
			add_operand(operands, const_cast<rtx>(*i), WEFT_EFFECT_LOAD,
				    WEFT_EFFECT_LOAD);
	}
}

static void add_store(operands *operands, rtx to)
{
	enum weft_access_effect effect = WEFT_EFFECT_STORE;

	while (GET_CODE(to) == SUBREG || GET_CODE(to) == STRICT_LOW_PART ||
	       GET_CODE(to) == ZERO_EXTRACT) {
		if (GET_CODE(to) == ZERO_EXTRACT)
			effect = WEFT_EFFECT_RMW;
		to = XEXP(to, 0);
	}
	if (MEM_P(to))
		add_operand(operands, to, WEFT_EFFECT_STORE, effect);
}

static void add_pattern(operands *operands, rtx pattern)
{
	switch (GET_CODE(pattern)) {
	case PARALLEL:
		for (int i = 0; i < XVECLEN(pattern, 0); i++)
			add_pattern(operands, XVECEXP(pattern, 0, i));
		break;
	case SET:
		add_store(operands, SET_DEST(pattern));
		if (GET_CODE(SET_SRC(pattern)) == CALL)
			add_pattern(operands, SET_SRC(pattern));
		else
			add_loads(operands, SET_SRC(pattern));
		break;
	case CALL:
		/*
		 * The outer MEM stands for the called function and accesses no memory; its address
		 * may.
		 */
		add_loads(operands, XEXP(XEXP(pattern, 0), 0));
		break;
	case USE:
	case CLOBBER:
		break;
	default:
		add_loads(operands, pattern);
		break;
	}
}

/* The constant that an instruction adds to a register or symbol; 0 if it adds none. */
static HOST_WIDE_INT added_constant(const_rtx pattern)
{
	if (GET_CODE(pattern) == PARALLEL)
		pattern = XVECEXP(pattern, 0, 0);
	if (GET_CODE(pattern) != SET || !REG_P(SET_DEST(pattern)))
		return 0;
	const_rtx value = SET_SRC(pattern);

	if (GET_CODE(value) == CONST)
		value = XEXP(value, 0);
	return GET_CODE(value) == PLUS && CONST_INT_P(XEXP(value, 1)) ? INTVAL(XEXP(value, 1)) : 0;
}

/*
 * Labels an instruction that computes a member's address. The instruction has no memory operand;
 * the access is found by the instruction's location and the constant that it adds.
 */
static void label_address(labelling *labelling)
{
	HOST_WIDE_INT constant = added_constant(PATTERN(labelling->insn));
	unsigned access =
		constant > 0 && constant < INT_MAX / BITS_PER_UNIT
			? wp_access_find_address(wp_pure(INSN_LOCATION(labelling->insn)), constant)
			: 0;

	labelling->effect = WEFT_EFFECT_ADDRESS;
	for (; access; access = wp_accesses[access].whole)
		add_entry(access, labelling);
}

/* Labels a call for the members that it goes through, and for those whose addresses it passes. */
static void label_call(labelling *labelling)
{
	rtx call = get_call_rtx_from(labelling->insn);
	rtx target = call ? XEXP(XEXP(call, 0), 0) : NULL_RTX;

	labelling->effect = WEFT_EFFECT_CALL;
	wp_calls_of_insn(labelling->insn, add_entry, labelling);
	if (!target || GET_CODE(target) != SYMBOL_REF || !SYMBOL_REF_DECL(target) ||
	    TREE_CODE(SYMBOL_REF_DECL(target)) != FUNCTION_DECL ||
	    wp_merged_call(SYMBOL_REF_DECL(target)))
		return;
	for (unsigned i = 0; i <= WEFT_EFFECT_ARGUMENT_5 - WEFT_EFFECT_ARGUMENT_0; i++) {
		labelling->effect = (enum weft_access_effect)(WEFT_EFFECT_ARGUMENT_0 + i);
		wp_by_address_argument(INSN_LOCATION(labelling->insn), SYMBOL_REF_DECL(target), i,
				       add_entry, labelling);
	}
}

/*
 * Labels an instruction that equal ones may have been merged with (survivor.h). Returns false if it
 * is not such an instruction.
 */
static bool label_survivor(labelling *labelling)
{
	unsigned count = 0;
	const wp_entry *entries = wp_survivor_entries(labelling->insn, &count);

	for (unsigned i = 0; i < count; i++) {
		labelling->effect = entries[i].effect;
		add_entry(entries[i].access, labelling);
	}
	return entries;
}

static void label_insn(labelling *labelling, rtx_insn *insn)
{
	int asm_operands = asm_noperands(PATTERN(insn));
	operands operands;

	labelling->insn = insn;
	labelling->label = 0;
	if (!labelling->collected && label_survivor(labelling))
		return;
	if (asm_operands >= 0)
		return label_asm(labelling, asm_operands);
	operands.count = 0;
	add_pattern(&operands, PATTERN(insn));
	for (unsigned i = 0; i < operands.count; i++)
		label_operand(labelling, &operands.at[i]);
	if (!operands.count)
		label_address(labelling);
	if (CALL_P(insn))
		label_call(labelling);
}

void wp_label_collect(rtx_insn *insn, vec<wp_entry> *entries)
{
	labelling labelling = {};

	labelling.function = current_function_decl;
	labelling.collected = entries;
	label_insn(&labelling, insn);
}

namespace
{
const pass_data label_data = {RTL_PASS, "weft_label", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class label_pass : public rtl_opt_pass
{
      public:
	label_pass(gcc::context *context) : rtl_opt_pass(label_data, context)
	{
	}
	unsigned int execute(function *) final override;
};

unsigned int label_pass::execute(function *function)
{
	labelling labelling = {};

	labelling.function = function->decl;
	wp_mark_function_emitted(function->decl);
	wp_merged_look();
	wp_fate_begin();
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (NOTE_P(insn) && NOTE_KIND(insn) == NOTE_INSN_SWITCH_TEXT_SECTIONS) {
			labelling.switched = true;
			labelling.range = NULL;
		} else if (NONDEBUG_INSN_P(insn) && active_insn_p(insn)) {
			label_insn(&labelling, insn);
		}
	}
	wp_fate_end(function->decl);
	return 0;
}
} // namespace

opt_pass *wp_label_pass_create(gcc::context *context)
{
	return new label_pass(context);
}
