// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The texts of refusals; see refusal.h. A static assertion compares their number with the enum's.
 */
#include <stddef.h>

#include "runtime/abi.h"
#include "splice/refusal.h"

static const struct {
	const char *name, *reason;
} refusals[] = {
	[WEFT_REFUSAL_NONE] = { "none", "not refused" },
	[WEFT_REFUSAL_NOT_TEXT] = { "not-text",
				    "not in the kernel's text (init code is gone after boot)" },
	[WEFT_REFUSAL_BOUNDARY] = { "boundary", "not the first byte of an instruction" },
	[WEFT_REFUSAL_CHANGED] = { "changed", "the live bytes differ from the plan's" },
	[WEFT_REFUSAL_BLACKLISTED] = { "blacklisted", "the kernel forbids probes here" },
	[WEFT_REFUSAL_FTRACE] = { "ftrace", "an ftrace site owns these bytes" },
	[WEFT_REFUSAL_JUMP_LABEL] = { "jump-label", "a jump label owns these bytes" },
	[WEFT_REFUSAL_STATIC_CALL] = { "static-call", "a static call owns these bytes" },
	[WEFT_REFUSAL_ALTERNATIVE] = { "alternative", "an SMP alternative owns these bytes" },
	[WEFT_REFUSAL_KPROBE] = { "kprobe", "a kprobe owns these bytes" },
	[WEFT_REFUSAL_BREAKPOINT] = { "breakpoint", "this is a breakpoint or BUG instruction" },
	[WEFT_REFUSAL_UNDECODABLE] = { "undecodable",
				       "the kernel's decoder does not know the instruction" },
	[WEFT_REFUSAL_UNRELOCATABLE] = { "unrelocatable", "the instruction cannot be relocated" },
	[WEFT_REFUSAL_ENDBR] = { "endbr", "an endbr must stay at the target of indirect branches" },
	[WEFT_REFUSAL_EXCEPTION] = { "exception",
				     "the exception table handles a fault here by its address" },
	[WEFT_REFUSAL_RANGE] = { "range", "no trampoline memory within reach" },
	[WEFT_REFUSAL_OWN_TEXT] = { "own-text", "weft's own code" },
	[WEFT_REFUSAL_JOINPOINT] = { "joinpoint",
				     "the aspect has no such joinpoint at this address" },
	[WEFT_REFUSAL_ORDER] = { "order",
				 "the plan is not in ascending order, or has a joinpoint twice" },
	[WEFT_REFUSAL_BRANCH_TARGET] = { "branch-target",
					 "a branch target may be among the displaced "
					 "instructions, after the first one" },
	[WEFT_REFUSAL_OVERLAP] = { "overlap",
				   "another splice has displaced a part of these instructions" },
	[WEFT_REFUSAL_SLOT] = { "slot", "the springboard's slot is out of reach, neither padding "
					"nor in a donor, or taken" },
	[WEFT_REFUSAL_KIND] = { "kind", "a splice of this kind or length is not allowed here" },
	[WEFT_REFUSAL_GOES_ELSEWHERE] = { "goes-elsewhere",
					  "control may not continue at the next instruction, so "
					  "advice cannot run after this one" },
	[WEFT_REFUSAL_TAIL_CALL] = { "tail-call", "this is a tail call, a jump: it returns to the "
						  "caller of the function that contains it" },
	[WEFT_REFUSAL_JOINS] = { "joins",
				 "the call's return address may also be reached without the call, "
				 "and the call or that address cannot be spliced" },
	[WEFT_REFUSAL_NO_END] = { "no-end", "its end is not a single address: it is an inlined "
					    "instance, or a call that never returns" },
	[WEFT_REFUSAL_MODULE] = { "module", "its module is not loaded, or is another build" },
	[WEFT_REFUSAL_SIGNATURE] = { "signature",
				     "the function's arguments or its result are not all in "
				     "registers, or are not known" },
	[WEFT_REFUSAL_NOT_ENTRY] = { "not-entry",
				     "not the first instruction of a function, or the function "
				     "itself may jump back to it" },
	[WEFT_REFUSAL_LIVE_PATCH] = { "live-patch", "the function is one that a live patch has "
						    "brought, and that may go with the patch" },
	[WEFT_REFUSAL_NOT_CALL] = { "not-call",
				    "no call, or one whose target cannot be computed, or user "
				    "memory may be open there" },
	[WEFT_REFUSAL_PROGRAM] = { "program",
				   "in programs advice runs before an instruction, not after one" },
};

_Static_assert(sizeof(refusals) / sizeof(refusals[0]) == WEFT_REFUSAL_COUNT,
	       "a refusal without a description");

const char *wv_refusal_name(unsigned int refusal)
{
	return refusal < WEFT_REFUSAL_COUNT ? refusals[refusal].name : "unknown";
}

const char *wv_refusal_reason(unsigned int refusal)
{
	return refusal < WEFT_REFUSAL_COUNT ? refusals[refusal].reason
					    : "a reason that this weft does not know";
}
