// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the facts about accesses (fate.h), and gives fates to the accesses that have no label in an
 * emitted function. A servant must have an instruction in the end. If it was itself coalesced, its
 * own servant in the same function and instance is taken, and so on, until one has a label.
 *
 * GCC copies instructions, and one instruction may do the work of accesses on several ways. So an
 * instruction is named as servant only if it is on each way to an instruction of the access's line
 * and instance, and only if it is the last one that is. If GCC has copied the instructions of that
 * line, each copy may have another servant.
 */
#include "gcc-compat.h"
#include "fate.h"
#include "fate-seen.h"
#include "lowered.h"

#define DEPTH_MAX 64 /* room for the inlined scopes around a statement; the list can grow */
#define SERVANTS_MAX 16 /* the most servants of servants that are followed */

/* One inlined scope. */
struct instance {
	unsigned parent;
	location_t where; /* location of the inlined call */
	unsigned origin; /* DECL_UID of the inlined function */
};

/* A fact, in the list of the facts about one body. */
struct known {
	wp_fact fact;
	unsigned next; /* index in facts of the next one; 0 ends the list */
};

/* A label, in the list of the labels of one access in one instance. */
struct label {
	int label, uid; /* .uid: INSN_UID of its instruction */
	unsigned next; /* index in labels; 0 ends the list */
	unsigned access, instance;
	bool memory; /* the instruction loads or stores the member */
};

/* An instruction, in the list of the instructions of one line in one instance. */
struct position {
	int uid;
	unsigned next; /* index in positions; 0 ends the list */
};

static vec<instance> instances;
static struct wp_map instance_numbers;
static vec<known> facts;
static struct wp_map facts_of_body; /* DECL_UID of the body's function -> its last fact */
/* set of keys of a body, an access and an instance for which there is a fact */
static struct wp_map seen;

/* The function that is being labelled. */
static vec<label> labels;
/* key of access, instance, and load or store -> index of its last label */
static struct wp_map labels_of;
/*
 * set of 1 + each access that has a label in this function; in wp_fate_unemitted(), that has a fate
 */
static struct wp_map labelled;
static struct wp_map found; /* key of access and instance -> index in here of its fact */
static vec<wp_fact> here;
/*
 * set of source lines: those of accesses that have a servant, and of statements that need their
 * values
 */
static struct wp_map lines;
static vec<position> positions;
/* key of line and instance -> index of the position of the last instruction there */
static struct wp_map positions_of;

static unsigned instance_number(unsigned parent, location_t where, unsigned origin)
{
	unsigned *at = wp_map_at(&instance_numbers, wp_key(parent, where, origin));

	if (*at)
		return *at;
	if (!instances.length()) {
		instance body = {};

		instances.safe_push(body);
	}
	*at = instances.length();
	instances.safe_push({ parent, where, origin });
	return *at;
}

/*
 * The DECL_UID of the function that a scope was inlined from; 0 if the scope is not that of an
 * inlined function.
 */
static unsigned origin_of(tree block)
{
	tree origin = inlined_function_outer_scope_p(block) ? block_ultimate_origin(block)
							    : NULL_TREE;

	return origin && TREE_CODE(origin) == FUNCTION_DECL ? DECL_UID(DECL_ORIGIN(origin)) : 0;
}

static unsigned instance_in(tree block)
{
	auto_vec<tree, DEPTH_MAX> scopes;
	unsigned number = 0;

	for (; block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
		if (origin_of(block))
			scopes.safe_push(block);
	}
	while (scopes.length()) {
		tree scope = scopes.pop();

		number = instance_number(number, wp_pure(BLOCK_SOURCE_LOCATION(scope)),
					 origin_of(scope));
	}
	return number;
}

unsigned wp_instance_of(location_t where)
{
	return instance_in(LOCATION_BLOCK(where));
}

/*
 * Returns which instance of the function that is being labelled the instance @inner of a body is,
 * if that body is itself inlined as the instance @outer.
 */
static unsigned nested_instance(unsigned outer, unsigned inner)
{
	if (!inner)
		return outer;
	return instance_number(nested_instance(outer, instances[inner].parent),
			       instances[inner].where, instances[inner].origin);
}

void wp_fact_add(tree function, const wp_fact *fact)
{
	unsigned body = DECL_UID(function);
	unsigned *at = wp_map_at(&seen, wp_key(body, fact->access, fact->instance));

	if (!facts.length()) {
		known none = {};

		facts.safe_push(none);
	}
	if (*at)
		return;
	*at = facts.length();
	at = wp_map_at(&facts_of_body, body + 1);
	facts.safe_push({ *fact, *at });
	*at = facts.length() - 1;
}

static uint64_t place_key(unsigned access, unsigned instance)
{
	return wp_key(access, instance, 0);
}

/*
 * Returns the head of the list of labels that an access has in an instance: at instructions that
 * store if @stores is set, else at instructions that load. (A read-modify-write may be two
 * instructions.)
 */
static unsigned *labels_at(unsigned access, unsigned instance, bool stores)
{
	return wp_map_at(&labels_of, wp_key(access, instance, stores));
}

static bool has_label(unsigned access, unsigned instance)
{
	return *labels_at(access, instance, false) || *labels_at(access, instance, true);
}

void wp_fate_begin(void)
{
	labels.truncate(0);
	labels.safe_push({});
	positions.truncate(0);
	positions.safe_push({});
	wp_map_clear(&labels_of);
	wp_map_clear(&lines);
	wp_map_clear(&positions_of);
	wp_map_clear(&labelled);
	wp_map_clear(&found);
	here.truncate(0);
}

void wp_fate_label(unsigned access, rtx_insn *insn, int label, enum weft_access_effect effect)
{
	unsigned instance = wp_instance_of(INSN_LOCATION(insn));

	for (unsigned stores = 0; stores < 2; stores++) {
		unsigned *at = labels_at(access, instance, stores);
		enum weft_access_effect other = stores ? WEFT_EFFECT_LOAD : WEFT_EFFECT_STORE;

		if (effect == other || (*at && labels[*at].label == label))
			continue;
		bool memory = effect == WEFT_EFFECT_LOAD || effect == WEFT_EFFECT_STORE ||
			      effect == WEFT_EFFECT_RMW;

		labels.safe_push({ label, INSN_UID(insn), *at, access, instance, memory });
		*at = labels.length() - 1;
	}
	*wp_map_at(&labelled, access + 1) = 1;
}

/*
 * Adds the facts about the body of a function, where this body is inlined as @instance of the
 * function that is being labelled.
 */
static void collect_body(unsigned body, unsigned instance)
{
	for (unsigned i = wp_map_get(&facts_of_body, body + 1); i; i = facts[i].next) {
		wp_fact fact = facts[i].fact;

		fact.instance = nested_instance(instance, fact.instance);
		fact.servant_instance = nested_instance(instance, fact.servant_instance);
		fact.used_instance = nested_instance(instance, fact.used_instance);
		unsigned *at = wp_map_at(&found, place_key(fact.access, fact.instance));

		if (*at)
			continue;
		here.safe_push(fact);
		*at = here.length();
	}
}

static void collect_scopes(tree block, unsigned instance)
{
	for (; block; block = BLOCK_CHAIN(block)) {
		unsigned origin = origin_of(block), number = instance;

		if (origin) {
			number = instance_number(instance, wp_pure(BLOCK_SOURCE_LOCATION(block)),
						 origin);
			collect_body(origin, number);
		}
		collect_scopes(BLOCK_SUBBLOCKS(block), number);
	}
}

/*
 * Among @access and the accesses that it is a part of, returns the access of the same member as
 * @like; 0: there is none.
 */
static unsigned like_member(unsigned access, unsigned like)
{
	for (; access; access = wp_accesses[access].whole) {
		if (wp_accesses[access].member_uid == wp_accesses[like].member_uid)
			return access;
	}
	return 0;
}

/* The key of a line and an instance; the key of the line itself has instance 0. */
static uint64_t line_key(location_t where, unsigned instance)
{
	expanded_location at = expand_location(where);

	return wp_key((uintptr_t)at.file, at.line, instance);
}

/* Fills `positions`: the instructions on the lines that `lines` is about. */
static void find_positions(void)
{
	for (unsigned i = 0; i < here.length(); i++) {
		if (!here[i].servant)
			continue;
		*wp_map_at(&lines, line_key(wp_accesses[here[i].access].where, 0)) = 1;
		if (here[i].used)
			*wp_map_at(&lines, line_key(here[i].used, 0)) = 1;
	}
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		if (!NONDEBUG_INSN_P(insn) || !active_insn_p(insn) || !INSN_HAS_LOCATION(insn))
			continue;
		location_t where = INSN_LOCATION(insn);

		if (!wp_map_get(&lines, line_key(where, 0)))
			continue;
		unsigned *at = wp_map_at(&positions_of, line_key(where, wp_instance_of(where)));

		positions.safe_push({ INSN_UID(insn), *at });
		*at = positions.length() - 1;
	}
}

/*
 * Returns the last label of a list that is on each way to the instruction with INSN_UID @uid; 0:
 * there is none.
 */
static unsigned last_before(unsigned list, int uid)
{
	unsigned last = 0;

	for (unsigned i = list; i; i = labels[i].next) {
		if (wp_way_leads_through(labels[i].uid, uid) &&
		    (!last || wp_way_leads_through(labels[last].uid, labels[i].uid)))
			last = i;
	}
	return last;
}

/*
 * Returns the list of the instructions of the access's line. If no such instruction is left,
 * returns that of the line of a statement that needs the access's value.
 */
static unsigned positions_of_fact(const wp_fact *fact)
{
	unsigned list = wp_map_get(&positions_of,
				   line_key(wp_accesses[fact->access].where, fact->instance));

	return list || !fact->used
		       ? list
		       : wp_map_get(&positions_of, line_key(fact->used, fact->used_instance));
}

/*
 * Adds to @ret those labels of a list whose instructions do the work of the access of @fact.
 * @alone: the servant was a single statement when it was found. In this case, if no instruction of
 * the access's line is left and the servant has only one label, this label is taken.
 */
static void choose_labels(unsigned list, const wp_fact *fact, bool alone, vec<int> *ret)
{
	unsigned position = positions_of_fact(fact);

	if (alone && !position && !labels[list].next)
		ret->safe_push(labels[list].label);
	for (; position; position = positions[position].next) {
		unsigned last = last_before(list, positions[position].uid);

		if (last && !ret->contains(labels[last].label))
			ret->safe_push(labels[last].label);
	}
}

/*
 * Follows the servants from that of @fact on, until one has a label and is an access of the same
 * member as @access. Adds the labels of that servant, fate->servant, to @ret.
 */
static void follow(const wp_fact *fact, unsigned access, wp_fate *fate, vec<int> *ret)
{
	const wp_fact *first = fact;
	bool loads = true, alone = true;

	for (unsigned i = 0; i < SERVANTS_MAX && fact->fate == WEFT_FATE_COALESCED; i++) {
		unsigned servant = like_member(fact->servant, access), next;

		if (!servant)
			return;
		alone &= fact->servant_alone;
		unsigned list =
			*labels_at(servant, fact->servant_instance, fact->servant_stores);

		if (list) {
			choose_labels(list, first, alone, ret);
			fate->servant = servant;
			return;
		}
		/*
		 * If the servant is a store of a read-modify-write, the next fact may be about its
		 * load: stop.
		 */
		if (fact->servant_stores)
			return;
		next = wp_map_get(&found, place_key(fact->servant, fact->servant_instance));
		if (!next)
			return;
		loads &= wp_accesses[fact->servant].kind == WEFT_KIND_GET;
		fact = &here[next - 1];
	}
	/*
	 * The code that needed the value of the access needed that of the servant, and the servant
	 * is dead: so the access is dead. This holds only if the access and all its servants are
	 * loads: a store may be dead although its value is used.
	 */
	if (loads && fact->fate == WEFT_FATE_DEAD)
		fate->fate = WEFT_FATE_DEAD;
	/* The value of the servant never was in memory. */
	if (loads && fact->fate == WEFT_FATE_REGISTERS)
		fate->fate = WEFT_FATE_REGISTERS;
}

/*
 * Returns a struct wp_fate for the emitted function @function. The caller sets .access and .fate.
 */
static wp_fate fate_in(tree function)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
	wp_fate fate = {};

	fate.function = wp_string(name + (*name == '*'));
	fate.flags = (TREE_PUBLIC(function) ? 0 : WEFT_FUNCTION_STATIC) |
		     (DECL_DECLARED_INLINE_P(function) ? WEFT_FUNCTION_INLINE : 0);
	return fate;
}

/* Adds the fate of @access that follows from a fact about it, or about a part of it. */
static void add_fate(tree function, const wp_fact *fact, unsigned access)
{
	auto_vec<int, SERVANTS_MAX> by;
	wp_fate fate = fate_in(function);

	fate.fate = fact->fate;
	follow(fact, access, &fate, &by);
	for (; access; access = wp_accesses[access].also) {
		fate.access = access;
		/* The table has a header function's accesses only if it counts as emitted. */
		if (!wp_owners[wp_accesses[access].owner].main_file)
			wp_owners[wp_accesses[access].owner].emitted = true;
		if (!by.length()) {
			fate.servant = 0;
			wp_fates.safe_push(fate);
		}
		for (unsigned i = 0; i < by.length(); i++) {
			fate.label = by[i];
			wp_fates.safe_push(fate);
		}
	}
}

static void give_fate(tree function, const wp_fact *fact)
{
	for (unsigned access = fact->access; access; access = wp_accesses[access].whole) {
		bool has_own = access != fact->access &&
			       wp_map_get(&found, place_key(access, fact->instance));

		if (!wp_map_get(&labelled, access + 1) && !has_own)
			add_fate(function, fact, access);
	}
}

/*
 * The instruction that does an access `p->a.b` does that of a, too. If it could not be labelled for
 * a, because the offset of a does not follow from the instruction's operand, a has the label of b
 * as its servant.
 */
static void give_wholes(tree function)
{
	for (unsigned i = 1; i < labels.length(); i++) {
		unsigned part = labels[i].access;

		for (unsigned access = wp_accesses[part].whole; access && labels[i].memory;
		     access = wp_accesses[access].whole) {
			wp_fate fate = fate_in(function);

			if (wp_map_get(&labelled, access + 1) ||
			    wp_map_get(&found, place_key(access, labels[i].instance)))
				continue;
			fate.access = access;
			fate.fate = WEFT_FATE_COALESCED;
			fate.servant = part;
			fate.label = labels[i].label;
			wp_fates.safe_push(fate);
		}
	}
}

void wp_fate_end(tree function)
{
	collect_body(DECL_UID(function), 0);
	if (DECL_ORIGIN(function) != function)
		collect_body(DECL_UID(DECL_ORIGIN(function)), 0);
	if (DECL_INITIAL(function) && TREE_CODE(DECL_INITIAL(function)) == BLOCK)
		collect_scopes(DECL_INITIAL(function), 0);
	find_positions();
	for (unsigned i = 0; i < here.length(); i++) {
		if (!has_label(here[i].access, here[i].instance))
			give_fate(function, &here[i]);
	}
	give_wholes(function);
}

/* Whether code of the function with DECL_UID @uid was ever seen inlined in another function. */
static bool was_inlined(unsigned uid)
{
	for (unsigned i = 1; i < instances.length(); i++) {
		if (instances[i].origin == uid)
			return true;
	}
	return false;
}

/* The fate of @access by the facts about the body of function @uid; WEFT_FATE_COUNT: no fact. */
static enum weft_fate stated_fate(unsigned uid, unsigned access)
{
	for (unsigned i = wp_map_get(&facts_of_body, uid + 1); i; i = facts[i].next) {
		for (unsigned it = facts[i].fact.access; it; it = wp_accesses[it].whole) {
			if (it == access)
				return facts[i].fact.fate;
		}
	}
	return WEFT_FATE_COUNT;
}

static void give_unlabelled(const wp_owner *owner, unsigned number)
{
	bool inlined = was_inlined(owner->uid);
	unsigned end = MIN(owner->first_access + owner->access_count, wp_accesses.length());

	for (unsigned i = owner->first_access; i < end; i++) {
		wp_fate fate = {};

		if (wp_accesses[i].owner != number || wp_accesses[i].labelled ||
		    wp_accesses[i].kind == WEFT_KIND_INIT || wp_map_get(&labelled, i + 1))
			continue;
		fate.fate = stated_fate(owner->uid, i);
		if (fate.fate == WEFT_FATE_COUNT && (inlined || owner->emitted) &&
		    (!wp_seen_dropped(i) || wp_isra_has_changed(owner->uid)))
			continue;
		if (fate.fate == WEFT_FATE_COUNT)
			fate.fate = WEFT_FATE_DEAD;
		fate.function = owner->name;
		fate.flags = owner->flags;
		fate.access = i;
		wp_fates.safe_push(fate);
	}
}

/*
 * GCC removes a function that nothing calls, and one of which nothing was left when it was inlined.
 * The facts about the body of such a function give its accesses their fates. An access without a
 * fact is dead if the function was never inlined, or if the inter-procedural passes have dropped
 * the access; otherwise it gets no fate. These passes drop accesses of functions that are emitted,
 * too.
 */
void wp_fate_unemitted(void *unused, void *data)
{
	if (seen_error())
		return;
	wp_find_replaced();
	wp_map_clear(&labelled);
	for (unsigned i = 0; i < wp_fates.length(); i++)
		*wp_map_at(&labelled, wp_fates[i].access + 1) = 1;
	for (unsigned i = 1; i < wp_owners.length(); i++) {
		const wp_owner *owner = &wp_owners[i];

		if (owner->main_file && !owner->variable && owner->access_count &&
		    !wp_is_replaced(owner->uid))
			give_unlabelled(owner, i);
	}
}
