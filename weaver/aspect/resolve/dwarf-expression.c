// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF's stack machine, which works on C expressions instead of numbers; see dwarf-expression.h. A
 * value on the stack is a C expression plus a number: `breg7 24; plus_uconst 8` becomes
 * `wr_reg(weft, WR_RSP) + 0x20`. Each failure has a reason, which is shown to the author.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/frame.h"
#include "aspect/resolve/dwarf-expression.h"
#include "image/dwarf/types.h"

#define STACK_MAX 16

const char *const wv_register_names[] = {
	"WR_RAX", "WR_RCX", "WR_RDX", "WR_RBX", "WR_RSP", "WR_RBP", "WR_RSI", "WR_RDI",
	"WR_R8",  "WR_R9",  "WR_R10", "WR_R11", "WR_R12", "WR_R13", "WR_R14", "WR_R15",
	"WR_FLAGS", "WR_TARGET", "WR_CALLERS",
};

struct wv_operand wv_register_text(unsigned int reg, unsigned int shift)
{
	struct wv_operand operand;

	snprintf(operand.text, sizeof(operand.text),
		 shift ? "wr_reg(weft, %s) >> %u" : "wr_reg(weft, %s)", wv_register_names[reg],
		 shift);
	return operand;
}

struct wv_operand wv_live_text(uint64_t offset)
{
	struct wv_operand operand;

	snprintf(operand.text, sizeof(operand.text), "wr_live(weft, 0x%" PRIx64 ")", offset);
	return operand;
}

/* WR_* numbers of trampolines, indexed by DWARF's register numbers (System V ABI, figure 3.36). */
static const uint8_t registers[] = {
	WR_RAX, WR_RDX, WR_RCX, WR_RBX, WR_RSI, WR_RDI, WR_RBP, WR_RSP,
	WR_R8,	WR_R9,	WR_R10, WR_R11, WR_R12, WR_R13, WR_R14, WR_R15,
};

struct value {
	/* C to which .number is added; "": the value is only .number */
	char text[WV_FOUND_TEXT / 2];
	uint64_t number;
};

struct machine {
	const struct wv_expression_input *input;
	Dwarf_Attribute *attribute; /* the attribute that contains the expression */
	struct value stack[STACK_MAX];
	size_t n;
	bool is_value;	/* true: the top of the stack is the object's value; false: its address */
	/*
	 * if the compiler has split the object into pieces: C of the pieces so far, and their size
	 * in bits
	 */
	struct value whole;
	uint64_t bits;
	bool in_frame_base;
	struct wv_found *ret;
};

static bool give_up(struct machine *machine, const char *why)
{
	if (!machine->ret->why)
		machine->ret->why = why;
	return false;
}

static bool push(struct machine *machine, const char *text, uint64_t number)
{
	struct value *slot = &machine->stack[machine->n];

	if (machine->n == STACK_MAX)
		return give_up(machine, "its location is too long");
	machine->n++;
	slot->number = number;
	if (snprintf(slot->text, sizeof(slot->text), "%s", text) >= (int)sizeof(slot->text))
		return give_up(machine, "its location is too long");
	return true;
}

/* Writes @value as C that can be the operand of an operator. */
static void write_value(const struct value *value, char *ret, size_t size)
{
	int64_t number = value->number;

	if (!value->text[0])
		snprintf(ret, size, "0x%" PRIx64 "UL", value->number);
	else if (!number)
		snprintf(ret, size, "%s", value->text);
	else if (number < 0)
		snprintf(ret, size, "(%s - 0x%" PRIx64 ")", value->text, -value->number);
	else
		snprintf(ret, size, "(%s + 0x%" PRIx64 ")", value->text, value->number);
}

static bool pop(struct machine *machine, struct value *ret)
{
	if (!machine->n)
		return give_up(machine, "its location is damaged");
	*ret = machine->stack[--machine->n];
	return true;
}

/* Pushes @text, the result of an snprintf() that returned @length. Fails if @text was cut off. */
static bool push_text(struct machine *machine, const char *text, int length)
{
	if (length < 0 || length >= WV_FOUND_TEXT)
		return give_up(machine, "its location is too long");
	return push(machine, text, 0);
}

static bool push_register(struct machine *machine, uint64_t number, int64_t offset)
{
	if (number >= sizeof(registers))
		return give_up(machine, "it is in a register that trampolines do not keep");
	machine->ret->registers |= WR_BIT(registers[number]);
	return push(machine, wv_register_text(registers[number], 0).text, offset);
}

static bool push_cfa(struct machine *machine)
{
	const struct wv_cfa *cfa = machine->input->cfa;

	if (!cfa || !cfa->known)
		return give_up(machine,
			       "it is on the stack, and DWARF does not describe the frame here");
	return push_register(machine, cfa->reg, cfa->offset);
}

static bool run(struct machine *machine, Dwarf_Attribute *attribute);

static bool push_frame_base(struct machine *machine, int64_t offset)
{
	Dwarf_Attribute *outer = machine->attribute;
	bool ok;

	if (!machine->input->frame_base || machine->in_frame_base)
		return give_up(machine,
			       "it is on the stack, and DWARF gives its function no frame base");
	machine->in_frame_base = true;
	ok = run(machine, machine->input->frame_base) && machine->n;
	/* If the frame base is DW_OP_reg, the register holds an address here, not a value. */
	machine->in_frame_base = machine->is_value = false;
	machine->attribute = outer;
	if (ok)
		machine->stack[machine->n - 1].number += offset;
	return ok;
}

static bool push_load(struct machine *machine, uint64_t size)
{
	char operand[WV_FOUND_TEXT], text[WV_FOUND_TEXT];
	struct value value;

	if (!size || size > sizeof(uint64_t) || (size & (size - 1)))
		return give_up(machine, "its location loads neither 1, 2, 4 nor 8 bytes");
	if (!pop(machine, &value))
		return false;
	write_value(&value, operand, sizeof(operand));
	return push_text(machine, text, snprintf(text, sizeof(text), "wr_load(%s, %u)", operand,
						 (unsigned int)size));
}

static bool binary(struct machine *machine, const char *operator, bool is_signed)
{
	char left_text[WV_FOUND_TEXT], right_text[WV_FOUND_TEXT], text[WV_FOUND_TEXT];
	const char *cast = is_signed ? "(long)" : "";
	struct value left, right;

	if (!pop(machine, &right) || !pop(machine, &left))
		return false;
	write_value(&left, left_text, sizeof(left_text));
	write_value(&right, right_text, sizeof(right_text));
	return push_text(machine, text,
			 snprintf(text, sizeof(text), "(unsigned long)(%s%s %s %s%s)", cast,
				  left_text, operator, cast, right_text));
}

static bool plus(struct machine *machine)
{
	struct value left, right;

	if (!pop(machine, &right) || !pop(machine, &left))
		return false;
	if (right.text[0] && left.text[0]) {
		machine->n += 2;
		return binary(machine, "+", false);
	}
	return push(machine, left.text[0] ? left.text : right.text, left.number + right.number);
}

static bool unary(struct machine *machine, const char *operator)
{
	char operand[WV_FOUND_TEXT], text[WV_FOUND_TEXT];
	struct value value;

	if (!pop(machine, &value))
		return false;
	write_value(&value, operand, sizeof(operand));
	return push_text(machine, text, snprintf(text, sizeof(text), "(%s%s)", operator, operand));
}

static bool arithmetic(struct machine *machine, uint8_t op)
{
	switch (op) {
	case DW_OP_plus:
		return plus(machine);
	case DW_OP_minus:
		return binary(machine, "-", false);
	case DW_OP_mul:
		return binary(machine, "*", false);
	case DW_OP_and:
		return binary(machine, "&", false);
	case DW_OP_or:
		return binary(machine, "|", false);
	case DW_OP_xor:
		return binary(machine, "^", false);
	case DW_OP_shl:
		return binary(machine, "<<", false);
	case DW_OP_shr:
		return binary(machine, ">>", false);
	case DW_OP_shra:
		return binary(machine, ">>", true);
	case DW_OP_eq:
		return binary(machine, "==", true);
	case DW_OP_ne:
		return binary(machine, "!=", true);
	case DW_OP_lt:
		return binary(machine, "<", true);
	case DW_OP_le:
		return binary(machine, "<=", true);
	case DW_OP_gt:
		return binary(machine, ">", true);
	case DW_OP_ge:
		return binary(machine, ">=", true);
	case DW_OP_neg:
		return unary(machine, "-");
	case DW_OP_not:
		return unary(machine, "~");
	}
	/*
	 * Divisions are rejected, because they could fault in the advice. GCC's locations of
	 * variables have no branches and no other operations than those above.
	 */
	return give_up(machine, "its location is computed in a way that weft does not know");
}

static bool shuffle(struct machine *machine, const Dwarf_Op *op)
{
	struct value *top = machine->stack + machine->n, swapped;
	uint64_t index = op->atom == DW_OP_pick ? op->number : op->atom == DW_OP_over;

	if (op->atom == DW_OP_drop)
		return pop(machine, &swapped);
	if (op->atom == DW_OP_swap && machine->n >= 2) {
		swapped = top[-1];
		top[-1] = top[-2];
		top[-2] = swapped;
		return true;
	}
	if (op->atom == DW_OP_swap || index >= machine->n)
		return give_up(machine, "its location is damaged");
	swapped = top[-1 - index];
	return push(machine, swapped.text, swapped.number);
}

static bool push_address(struct machine *machine, uint64_t address)
{
	if (machine->input->module)
		return give_up(machine, "it is in the module's data, and where that is differs "
					"from load to load");
	if (address < machine->input->text)
		return give_up(machine, "it is a per-CPU variable");
	return push(machine, wv_live_text(address - machine->input->text).text, 0);
}

static const char not_an_integer[] =
	"its location computes with a type that is not an integer of C";

/*
 * Converts the top of the stack to a type. @type: offset of the type's DWARF entry in the unit; 0:
 * unsigned long. @op: the operation that names the type.
 */
static bool convert(struct machine *machine, const Dwarf_Op *op, uint64_t type)
{
	char cast[192] = "(unsigned long)";
	struct wv_type described = { 0 };
	Dwarf_Die die;

	if (type) {
		if (!dwarf_getlocation_die(machine->attribute, op, &die))
			wv_type_describe(machine->input->dies, dwarf_dieoffset(&die), &described);
		if (described.kind != WV_TYPE_INTEGER)
			return give_up(machine, not_an_integer);
		snprintf(cast, sizeof(cast), "(unsigned long)(%s)", described.text);
	}
	return unary(machine, cast);
}

/*
 * Pushes the constant that follows @op in the expression, as a number. @too_many: the reason of the
 * failure if the constant has more than 8 bytes.
 */
static bool push_block(struct machine *machine, const Dwarf_Op *op, const char *too_many)
{
	Dwarf_Attribute attribute;
	uint64_t value = 0;
	Dwarf_Block block;

	if (dwarf_getlocation_attr(machine->attribute, op, &attribute) ||
	    dwarf_formblock(&attribute, &block))
		return give_up(machine, "its location is damaged");
	if (block.length > sizeof(value))
		return give_up(machine, too_many);
	memcpy(&value, block.data, block.length);
	return push(machine, "", value);
}

static bool typed(struct machine *machine, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		return convert(machine, op, op->number);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type:
		return push_register(machine, op->number, 0) && convert(machine, op, op->number2);
	case DW_OP_deref_type: case DW_OP_GNU_deref_type:
		return push_load(machine, op->number) && convert(machine, op, op->number2);
	default: /* only DW_OP_const_type is left */
		return push_block(machine, op, not_an_integer) && convert(machine, op, op->number);
	}
}

/*
 * Pushes the value that a register had when the function was entered. This value is known only if
 * the shadow is the function's entry, where the register still has it.
 */
static bool entry_value(struct machine *machine, const Dwarf_Op *op)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *inner;
	size_t n;

	if (dwarf_getlocation_attr(machine->attribute, op, &attribute) ||
	    dwarf_getlocation(&attribute, &inner, &n))
		return give_up(machine, "its location is damaged");
	if (!machine->input->at_entry || n != 1 || inner->atom < DW_OP_reg0 ||
	    inner->atom > DW_OP_reg31)
		return give_up(machine, "its value is known at the function's entry only");
	return push_register(machine, inner->atom - DW_OP_reg0, 0);
}

/*
 * Appends the value on top of the stack to .whole, an object that the compiler has split into
 * pieces. The value becomes the object's next @size bytes. If the stack is empty, the compiler has
 * removed these bytes.
 */
static bool piece(struct machine *machine, uint64_t size)
{
	char operand[WV_FOUND_TEXT], text[WV_FOUND_TEXT];
	struct value value;
	int length;

	if (!machine->n)
		return give_up(machine, "the compiler removed a part of it");
	if (!size || machine->bits / 8 + size > sizeof(uint64_t))
		return give_up(machine, "it is in pieces");
	if (!machine->is_value && !push_load(machine, size))
		return false;
	machine->is_value = false;
	if (!pop(machine, &value))
		return false;
	write_value(&value, operand, sizeof(operand));
	if (size < sizeof(uint64_t))
		length = snprintf(text, sizeof(text), "%s%s(%s & 0x%" PRIx64 "UL) << %u",
				  machine->whole.text, machine->bits ? " | " : "", operand,
				  (UINT64_C(1) << size * 8) - 1, (unsigned int)machine->bits);
	else
		length = snprintf(text, sizeof(text), "%s", operand);
	if (length >= (int)sizeof(machine->whole.text))
		return give_up(machine, "its location is too long");
	memcpy(machine->whole.text, text, length + 1);
	machine->bits += size * 8;
	return true;
}

static bool step(struct machine *machine, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(machine, "", op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(machine, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
		return push(machine, "", op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		machine->is_value = true;
		return push_register(machine, op->atom - DW_OP_reg0, 0);
	}
	switch (op->atom) {
	case DW_OP_regx:
		machine->is_value = true;
		return push_register(machine, op->number, 0);
	case DW_OP_addr:
		return push_address(machine, op->number);
	case DW_OP_bregx:
		return push_register(machine, op->number, op->number2);
	case DW_OP_fbreg:
		return push_frame_base(machine, op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(machine);
	case DW_OP_dup: case DW_OP_drop: case DW_OP_over: case DW_OP_pick: case DW_OP_swap:
		return shuffle(machine, op);
	case DW_OP_deref:
		return push_load(machine, sizeof(uint64_t));
	case DW_OP_deref_size:
		return push_load(machine, op->number);
	case DW_OP_plus_uconst:
		return push(machine, "", op->number) && plus(machine);
	case DW_OP_nop: case DW_OP_GNU_uninit:
		return true;
	case DW_OP_stack_value:
		return machine->is_value = true;
	case DW_OP_implicit_value:
		machine->is_value = true;
		return push_block(machine, op, "it is a constant of more than 8 bytes");
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		return give_up(machine, "it points to something that the compiler removed");
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return entry_value(machine, op);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
	case DW_OP_regval_type: case DW_OP_GNU_regval_type: case DW_OP_deref_type:
	case DW_OP_GNU_deref_type: case DW_OP_const_type: case DW_OP_GNU_const_type:
		return typed(machine, op);
	case DW_OP_piece:
		return piece(machine, op->number);
	}
	return arithmetic(machine, op->atom);
}

/* Runs the expression in @attribute that is valid at the address .address of the input. */
static bool run(struct machine *machine, Dwarf_Attribute *attribute)
{
	Dwarf_Op *ops;
	size_t n = 0;
	int found = dwarf_getlocation_addr(attribute, machine->input->address, &ops, &n, 1);

	if (found < 0)
		return give_up(machine, "its location is damaged");
	if (!found || !n)
		return give_up(machine, "it has no location here: the compiler does not keep it");
	machine->attribute = attribute;
	for (size_t i = 0; i < n; i++)
		if (!step(machine, &ops[i]))
			return false;
	return true;
}

void wv_expression_compile(const struct wv_expression_input *input, Dwarf_Attribute *location,
			 struct wv_found *ret)
{
	struct machine machine = { .input = input, .ret = ret };
	struct value value;

	*ret = (struct wv_found){ 0 };
	if (!run(&machine, location))
		return;
	if (machine.bits) {
		ret->kind = WV_FOUND_VALUE;
		snprintf(ret->text, sizeof(ret->text), "%s", machine.whole.text);
		return;
	}
	if (!pop(&machine, &value))
		return;
	ret->kind = machine.is_value ? WV_FOUND_VALUE : WV_FOUND_MEMORY;
	write_value(&value, ret->text, sizeof(ret->text));
}
