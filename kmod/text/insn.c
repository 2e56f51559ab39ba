// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes instructions of the live kernel, by runtime/x86-rules.h, which the weaver uses, too; and
 * finds the targets of calls; see insn.h.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "text/insn.h"
#include "text/insn-table.h"
#include "text/thunk-table.h"

enum weft_refusal wk_insn_decode(unsigned long address, const u8 *bytes, unsigned int size,
				 struct wr_insn *ret)
{
	struct wr_fields fields;

	if (wk_insn_fields_read(bytes, size, &fields))
		return wr_rules_relocate(&fields, bytes, address, ret);
	memset(ret, 0, sizeof(*ret));
	return WEFT_REFUSAL_UNDECODABLE;
}

void wk_displaced_decode(unsigned long address, const u8 *bytes, unsigned int size,
			 struct wk_displaced *ret)
{
	ret->nr = ret->length = 0;
	while (ret->length < size && ret->nr < WR_DISPLACED_INSNS) {
		struct wr_insn *insn = &ret->insns[ret->nr++];

		wk_insn_decode(address + ret->length, bytes + ret->length, size - ret->length,
			       insn);
		wk_insn_widen(insn, bytes + ret->length + insn->length,
			      size - ret->length - insn->length);
		ret->length += insn->length;
	}
}

void wk_displaced_bytes(const struct wk_displaced *displaced, u8 *bytes)
{
	for (unsigned int i = 0; i < displaced->nr; bytes += displaced->insns[i++].length)
		memcpy(bytes, displaced->insns[i].bytes, displaced->insns[i].length);
}

unsigned int wk_insn_length(const u8 *bytes, unsigned int size)
{
	struct wr_fields fields;

	return wk_insn_fields_read(bytes, size, &fields) ? fields.length : 0;
}

bool wk_insn_step(unsigned long address, const u8 *bytes, unsigned int size, struct wk_step *ret)
{
	const struct wr_rule *rule;

	if (!wk_insn_fields_read(bytes, size, &ret->fields))
		return false;
	rule = wr_rule_of(&ret->fields);
	ret->length = ret->fields.length;
	ret->sanitize = ret->fields.behavior == WR_SANITIZE;
	ret->lost = rule->far;
	ret->calls = rule->direct && rule->control == WR_CONTROL_CALL;
	ret->jumps = rule->direct && !ret->calls;
	ret->target = rule->direct ? wr_branch_target(&ret->fields, address) : 0;
	return true;
}

void wk_insn_widen(struct wr_insn *insn, const u8 *after, unsigned int size)
{
	u8 bytes[WEFT_JUMP_SIZE];

	if (insn->length != 1 || size != sizeof(bytes) - 1)
		return;
	bytes[0] = insn->bytes[0];
	memcpy(bytes + 1, after, size);
	if (!wr_is_wide_return(bytes, sizeof(bytes)))
		return;
	memcpy(insn->bytes, bytes, sizeof(bytes));
	insn->length = sizeof(bytes);
}

static unsigned int register_of(unsigned int number, const struct wr_fields *fields, u8 rex_bit)
{
	return number | (fields->rex & rex_bit ? 8 : 0);
}

static void memory_target(const struct wr_fields *fields, const struct wr_insn *from,
			  struct wr_target *ret)
{
	unsigned int base = wr_modrm_rm(fields->modrm), index = wr_modrm_reg(fields->sib);

	ret->kind = WR_TARGET_MEMORY;
	ret->value = from->disp_offset ? (long)from->target : fields->displacement;
	ret->base = ret->index = WR_NONE;
	if (from->disp_offset)
		return;
	if (fields->sib_at)
		base = wr_modrm_rm(fields->sib);
	if (!fields->sib_at || base != WR_RM_DISP32 || wr_modrm_mod(fields->modrm) != WR_MOD_NONE)
		ret->base = register_of(base, fields, WR_REX_B);
	if (!fields->sib_at || (index == WR_INDEX_NONE && !(fields->rex & WR_REX_X)))
		return;
	ret->index = register_of(index, fields, WR_REX_X);
	ret->scale = 1 << wr_modrm_mod(fields->sib);
}

void wk_insn_target(const struct wr_insn *from, struct wr_target *ret)
{
	struct wr_fields fields;
	int number;

	memset(ret, 0, sizeof(*ret));
	ret->base = ret->index = WR_NONE;
	/*
	 * A direct jump is treated like a call, since it may be a tail call. If it is an ordinary
	 * jump, no advice asks for its target, so the result does no harm.
	 */
	if (from->kind == WR_INSN_CALL || from->kind == WR_INSN_JUMP) {
		number = wk_thunk_register(from->target);
		if (number >= 0) {
			ret->kind = WR_TARGET_REGISTER;
			ret->base = number;
		} else {
			ret->kind = WR_TARGET_FIXED;
			ret->value = from->target;
		}
		return;
	}
	/*
	 * Of the instructions that remain, only indirect calls and jumps have a target. Control
	 * does not continue after either (->ends), so all others can be ruled out before the fields
	 * are decoded.
	 */
	if (!from->ends || !wk_insn_fields_read(from->bytes, from->length, &fields) ||
	    (fields.behavior != WR_CALL_INDIRECT && fields.behavior != WR_JUMP_INDIRECT))
		return;
	/* With one of these prefixes the registers alone do not give the operand's address. */
	if (fields.prefixes & (WR_PREFIX_FS | WR_PREFIX_GS | WR_PREFIX_ADDRESS))
		return;
	if (wr_modrm_mod(fields.modrm) == WR_MOD_REGISTER) {
		ret->kind = WR_TARGET_REGISTER;
		ret->base = register_of(wr_modrm_rm(fields.modrm), &fields, WR_REX_B);
		return;
	}
	memory_target(&fields, from, ret);
}

bool wk_insn_thunk(const struct wr_insn *insn, unsigned int reg, unsigned long *ret)
{
	*ret = 0;
	if ((insn->kind != WR_INSN_CALL && insn->kind != WR_INSN_JUMP) ||
	    wk_thunk_register(insn->target) < 0)
		return true;
	return wk_thunk_for(insn->target, reg, ret);
}
