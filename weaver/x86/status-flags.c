// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of effects on the status flags; see status-flags.h. Its sources are Intel's Software
 * Developer's Manual (volume 1, appendix A, and the pages of the instructions) and AMD's
 * Architecture Programmer's Manual (volume 3, appendix E). If the two manuals, or two editions of
 * one, disagree about a flag, the flag counts as undefined.
 *
 * Capstone's own table (cs_x86.eflags) is not used. It does not consider the counts of shifts, and
 * it has gaps and mistakes. tests/unit/x86/test_status_flags.c names each difference.
 */
#include "x86/capstone-names.h"
#include "x86/status-flags.h"

#define CF WV_CF
#define PF WV_PF
#define AF WV_AF
#define ZF WV_ZF
#define SF WV_SF
#define OF WV_OF
#define ALL WV_STATUS_FLAGS

struct change {
	uint16_t defined, undefined;
};

/*
 * The changes of flags by instructions without a count, indexed by Capstone's instruction number.
 * An instruction that is not listed changes no flag. For instructions with a count, such as shifts,
 * see change_by_count().
 */
static const struct change changes[X86_INS_ENDING] = {
	[X86_INS_ADC] = { ALL, 0 },
	[X86_INS_ADD] = { ALL, 0 },
	[X86_INS_CMP] = { ALL, 0 },
	[X86_INS_CMPXCHG] = { ALL, 0 },
	[X86_INS_NEG] = { ALL, 0 },
	[X86_INS_SBB] = { ALL, 0 },
	[X86_INS_SUB] = { ALL, 0 },
	[X86_INS_XADD] = { ALL, 0 },

	[X86_INS_DEC] = { OF | SF | ZF | AF | PF, 0 },
	[X86_INS_INC] = { OF | SF | ZF | AF | PF, 0 },

	[X86_INS_AND] = { OF | SF | ZF | PF | CF, AF },
	[X86_INS_OR] = { OF | SF | ZF | PF | CF, AF },
	[X86_INS_TEST] = { OF | SF | ZF | PF | CF, AF },
	[X86_INS_XOR] = { OF | SF | ZF | PF | CF, AF },

	/*
	 * SF: Intel's page of imul has at times said that SF is the sign of the result; AMD's page
	 * never has.
	 */
	[X86_INS_IMUL] = { OF | CF, SF | ZF | AF | PF },
	[X86_INS_MUL] = { OF | CF, SF | ZF | AF | PF },
	[X86_INS_DIV] = { 0, ALL },
	[X86_INS_IDIV] = { 0, ALL },

	[X86_INS_BSF] = { ZF, OF | SF | AF | PF | CF },
	[X86_INS_BSR] = { ZF, OF | SF | AF | PF | CF },
	/*
	 * ZF: Intel's manuals until 2009 and AMD's manuals say undefined, Intel's later manuals
	 * unchanged.
	 */
	[X86_INS_BT] = { CF, OF | SF | ZF | AF | PF },
	[X86_INS_BTC] = { CF, OF | SF | ZF | AF | PF },
	[X86_INS_BTR] = { CF, OF | SF | ZF | AF | PF },
	[X86_INS_BTS] = { CF, OF | SF | ZF | AF | PF },
	[X86_INS_LZCNT] = { ZF | CF, OF | SF | AF | PF },
	[X86_INS_TZCNT] = { ZF | CF, OF | SF | AF | PF },
	[X86_INS_POPCNT] = { ALL, 0 },

	[X86_INS_ANDN] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BEXTR] = { OF | ZF | CF, SF | AF | PF },
	[X86_INS_BLSI] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLSMSK] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLSR] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BZHI] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_ADCX] = { CF, 0 },
	[X86_INS_ADOX] = { OF, 0 },

	/* AMD's trailing bit manipulation instructions (TBM). */
	[X86_INS_BLCFILL] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLCI] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLCIC] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLCMSK] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLCS] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLSFILL] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_BLSIC] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_T1MSKC] = { OF | SF | ZF | CF, AF | PF },
	[X86_INS_TZMSK] = { OF | SF | ZF | CF, AF | PF },

	[X86_INS_CLC] = { CF, 0 },
	[X86_INS_CMC] = { CF, 0 },
	[X86_INS_STC] = { CF, 0 },
	[X86_INS_SAHF] = { SF | ZF | AF | PF | CF, 0 },
	[X86_INS_POPF] = { ALL, 0 },
	[X86_INS_POPFQ] = { ALL, 0 },
	[X86_INS_IRET] = { ALL, 0 },
	[X86_INS_IRETD] = { ALL, 0 },
	[X86_INS_IRETQ] = { ALL, 0 },
	[X86_INS_SYSRET] = { ALL, 0 },
	[X86_INS_RSM] = { ALL, 0 },

	[X86_INS_CMPXCHG8B] = { ZF, 0 },
	[X86_INS_CMPXCHG16B] = { ZF, 0 },
	[X86_INS_LAR] = { ZF, 0 },
	[X86_INS_LSL] = { ZF, 0 },
	[X86_INS_VERR] = { ZF, 0 },
	[X86_INS_VERW] = { ZF, 0 },
	[X86_INS_RDRAND] = { ALL, 0 },
	[X86_INS_RDSEED] = { ALL, 0 },
	[X86_INS_XTEST] = { ALL, 0 },

	[X86_INS_COMISD] = { ALL, 0 },
	[X86_INS_COMISS] = { ALL, 0 },
	[X86_INS_UCOMISD] = { ALL, 0 },
	[X86_INS_UCOMISS] = { ALL, 0 },
	[X86_INS_VCOMISD] = { ALL, 0 },
	[X86_INS_VCOMISS] = { ALL, 0 },
	[X86_INS_VUCOMISD] = { ALL, 0 },
	[X86_INS_VUCOMISS] = { ALL, 0 },
	[X86_INS_PTEST] = { ALL, 0 },
	[X86_INS_VPTEST] = { ALL, 0 },
	[X86_INS_VTESTPD] = { ALL, 0 },
	[X86_INS_VTESTPS] = { ALL, 0 },
	[X86_INS_KORTESTB] = { ALL, 0 },
	[X86_INS_KORTESTD] = { ALL, 0 },
	[X86_INS_KORTESTQ] = { ALL, 0 },
	[X86_INS_KORTESTW] = { ALL, 0 },
	[X86_INS_PCMPESTRI] = { ALL, 0 },
	[X86_INS_PCMPESTRM] = { ALL, 0 },
	[X86_INS_PCMPISTRI] = { ALL, 0 },
	[X86_INS_PCMPISTRM] = { ALL, 0 },
	[X86_INS_VPCMPESTRI] = { ALL, 0 },
	[X86_INS_VPCMPESTRM] = { ALL, 0 },
	[X86_INS_VPCMPISTRI] = { ALL, 0 },
	[X86_INS_VPCMPISTRM] = { ALL, 0 },
	/* Editions of the manuals differ on whether these clear OF, SF and AF. */
	[X86_INS_FCOMI] = { ZF | PF | CF, OF | SF | AF },
	[X86_INS_FCOMIP] = { ZF | PF | CF, OF | SF | AF },
	[X86_INS_FUCOMI] = { ZF | PF | CF, OF | SF | AF },
	[X86_INS_FUCOMIP] = { ZF | PF | CF, OF | SF | AF },

	[X86_INS_INVEPT] = { ALL, 0 },
	[X86_INS_INVVPID] = { ALL, 0 },
	[X86_INS_VMCLEAR] = { ALL, 0 },
	[X86_INS_VMPTRLD] = { ALL, 0 },
	[X86_INS_VMPTRST] = { ALL, 0 },
	[X86_INS_VMREAD] = { ALL, 0 },
	[X86_INS_VMWRITE] = { ALL, 0 },
	[X86_INS_VMXOFF] = { ALL, 0 },
	[X86_INS_VMXON] = { ALL, 0 },
	/* The hypervisor, or the guest, sets the flags. */
	[X86_INS_VMCALL] = { 0, ALL },
	[X86_INS_VMLAUNCH] = { 0, ALL },
	[X86_INS_VMMCALL] = { 0, ALL },
	[X86_INS_VMRESUME] = { 0, ALL },
	[X86_INS_VMRUN] = { 0, ALL },
};

static enum wv_flag_count count_of(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_ROL: case X86_INS_ROR:
		return WV_COUNT_ROTATE;
	case X86_INS_RCL: case X86_INS_RCR:
		return WV_COUNT_ROTATE_CARRY;
	case X86_INS_SHL: case X86_INS_SAL: case X86_INS_SHR:
		return WV_COUNT_SHIFT;
	case X86_INS_SAR:
		return WV_COUNT_SHIFT_SIGNED;
	case X86_INS_SHLD: case X86_INS_SHRD:
		return WV_COUNT_SHIFT_DOUBLE;
	case X86_INS_CMPSD:
		/*
		 * Capstone has the same name (cmpsd) for a comparison of vectors, which does not
		 * change the flags.
		 */
		if (x86->operands[0].type != X86_OP_MEM)
			return WV_COUNT_NONE;
		return WV_COUNT_REPEAT;
	case X86_INS_CMPSB: case X86_INS_CMPSW: case X86_INS_CMPSQ:
	case X86_INS_SCASB: case X86_INS_SCASW: case X86_INS_SCASD: case X86_INS_SCASQ:
		return WV_COUNT_REPEAT;
	default:
		return WV_COUNT_NONE;
	}
}

/* The effects of a rotation or shift of a @bits wide operand by @count, which is masked already. */
static struct change change_by_count(enum wv_flag_count family, unsigned int bits,
				     unsigned int count)
{
	const uint16_t overflow = count == 1 ? OF : 0, result = SF | ZF | PF;
	struct change change = { 0, 0 };

	if (!count)
		return change;
	switch (family) {
	case WV_COUNT_ROTATE:
		change.defined = CF | overflow;
		break;
	case WV_COUNT_ROTATE_CARRY:
		/*
		 * The carry flag takes part in the rotation, so @bits + 1 steps are one whole turn.
		 */
		change.defined = (count % (bits + 1) ? CF : 0) | overflow;
		break;
	case WV_COUNT_SHIFT:
		change.defined = result | overflow | (count < bits ? CF : 0);
		change.undefined = AF | (count < bits ? 0 : CF);
		break;
	case WV_COUNT_SHIFT_SIGNED:
		change.defined = result | overflow | CF;
		change.undefined = AF;
		break;
	case WV_COUNT_SHIFT_DOUBLE:
		if (count > bits)
			return (struct change){ 0, ALL };
		change.defined = result | overflow | CF;
		change.undefined = AF;
		break;
	default:
		break;
	}
	change.undefined |= OF & ~overflow;
	return change;
}

static unsigned int mask_count(unsigned int bits, uint64_t count)
{
	return count & (bits == 64 ? 63 : 31);
}

/*
 * Returns the flags that are left undefined by at least one count. The count 0 is left out, because
 * it leaves all flags unchanged.
 */
static uint16_t undefined_for_any(enum wv_flag_count family, unsigned int bits)
{
	uint16_t undefined = 0;

	for (unsigned int count = 1; count <= mask_count(bits, UINT64_MAX); count++)
		undefined |= change_by_count(family, bits, count).undefined;
	return undefined;
}

static void fill(struct wv_flag_effects *ret, struct change change)
{
	ret->defined = change.defined;
	ret->undefined = change.undefined;
	ret->count = WV_COUNT_NONE;
}

void wv_flag_effects(const cs_insn *insn, struct wv_flag_effects *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *last = &x86->operands[x86->op_count ? x86->op_count - 1 : 0];

	*ret = (struct wv_flag_effects){ .count = count_of(insn) };
	switch (ret->count) {
	case WV_COUNT_NONE:
		fill(ret, changes[insn->id]);
		return;
	case WV_COUNT_REPEAT:
		ret->bits = x86->addr_size * 8;
		if (x86->prefix[0] != X86_PREFIX_REP && x86->prefix[0] != X86_PREFIX_REPNE)
			fill(ret, (struct change){ ALL, 0 });
		return;
	default:
		ret->bits = x86->operands[0].size * 8;
		if (last->type == X86_OP_IMM)
			fill(ret, change_by_count(ret->count, ret->bits,
						  mask_count(ret->bits, last->imm)));
		else
			ret->undefined = undefined_for_any(ret->count, ret->bits);
	}
}

void wv_flag_effects_counted(struct wv_flag_effects *effects, uint64_t rcx)
{
	switch (effects->count) {
	case WV_COUNT_NONE:
		return;
	case WV_COUNT_REPEAT:
		rcx = effects->bits == 32 ? (uint32_t)rcx : rcx;
		fill(effects, (struct change){ rcx ? ALL : 0, 0 });
		return;
	default:
		fill(effects, change_by_count(effects->count, effects->bits,
					      mask_count(effects->bits, rcx)));
	}
}
