// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blacklisted text; see blacklist.h. The list and the reasons are in runtime/blacklist-names.h. The
 * thunks of the active mitigations are found in the text (thunks.c).
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/blacklist-names.h"
#include "text/blacklist.h"
#include "text/thunks.h"
#include "base/unexported.h"

/* An entry of runtime/blacklist-names.h, and where this kernel has its symbols. */
struct entry {
	/*
	 * the symbols that bound a range; ->last NULL: only the function ->first, and its clones
	 * (FIRST.*)
	 */
	const char *first, *last;
	unsigned int length; /* length of the name ->first */
	enum weft_refusal refusal;
	bool notifier; /* applies only if int3s come through the die notifiers */
	/* live addresses: start of ->first, end of ->last; 0: not found */
	unsigned long start, end;
};

static struct entry entries[] __initdata = {
#define WK_ENTRY(first_, last_, refusal_, notifier_) \
	{ .first = first_,                           \
	  .last = last_,                             \
	  .length = sizeof(first_) - 1,              \
	  .refusal = refusal_,                       \
	  .notifier = notifier_ },
	WR_BLACKLIST_TEXT(WK_ENTRY)
};

static const char *const sanitizers[] __initconst = { WR_SANITIZER_PREFIXES };
static const char *const kasan[] __initconst = { WR_KASAN_NAMES };

/* A name may have several symbols: static functions of several files, and clones. */
enum {
	MAX_THUNKS = 256,
	MAX_SANITIZERS = 512,
	MAX_TEXTS = 4 * ARRAY_SIZE(entries) + MAX_THUNKS + MAX_SANITIZERS
};

static struct text {
	unsigned long start, end; /* live addresses */
	enum weft_refusal refusal;
} texts[MAX_TEXTS] __ro_after_init;
static unsigned int nr_texts __ro_after_init;

/*
 * The functions that may be called between stac and clac: those of objtool's list of "uaccess safe"
 * functions, except the functions of the sanitizers (KASAN and the like), which are never spliced.
 */
static const char *const open_names[] = {
	"csum_partial_copy_generic",
	"copy_mc_fragile",
	"copy_mc_fragile_handle_tail",
	"copy_mc_enhanced_fast_string",
	"copy_user_generic_unrolled",
	"copy_user_generic_string",
	"copy_user_enhanced_fast_string",
	"__copy_user_nocache",
	"clear_user_original",
	"clear_user_rep_good",
	"clear_user_erms",
	"rep_movs_alternative",
	"rep_stos_alternative",
	"ftrace_likely_update",
	"__memset",
	"memset_erms",
	"memset_orig",
	"memset",
};
static unsigned long opens[ARRAY_SIZE(open_names)] __ro_after_init;

bool wk_text_needs_sanitize(unsigned long start)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(opens); i++)
		if (start == opens[i])
			return true;
	return false;
}

/* Returns the end of the symbol at @symbol; @symbol itself if kallsyms does not know its size. */
static unsigned long __init end_of(unsigned long symbol)
{
	unsigned long size, offset;

	if (!wk_call(kallsyms_lookup_size_offset)(symbol, &size, &offset))
		return symbol;
	return symbol - offset + size;
}

static int __init add(unsigned long start, unsigned long end, enum weft_refusal refusal)
{
	if (nr_texts == MAX_TEXTS) {
		pr_err("the list of text that must not be spliced is full\n");
		return -E2BIG;
	}
	texts[nr_texts++] = (struct text){ start, end, refusal };
	return 0;
}

static bool __init is_of(const char *name, const struct entry *entry)
{
	return !strncmp(name, entry->first, entry->length) &&
	       (!name[entry->length] || name[entry->length] == '.');
}

/*
 * Called by the kernel for each of its symbols. If the symbol @name at @address is in @entries, or
 * is a sanitizer's function, adds its text to the list, or notes where a range begins or ends.
 * @data points to a bool: whether int3s are hooked (wk_blacklist_init()). The walk over the symbols
 * ends when this function returns a value other than 0.
 */
static int __init visit(void *data, const char *name, WK_SYMBOL_OWNER unsigned long address)
{
	const bool *hooked = data;
	int ret = 0;

	if (address < wk_unexported.text || address > wk_unexported.etext)
		return 0;
	/* The symbol at the end of a range may be right after the last byte of the text. */
	for (unsigned int i = 0; i < ARRAY_SIZE(entries); i++)
		if (entries[i].last && !(entries[i].notifier && *hooked) &&
		    !strcmp(name, entries[i].last))
			entries[i].end = min(end_of(address), wk_unexported.etext);
	if (address == wk_unexported.etext)
		return 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(sanitizers); i++)
		if (strstarts(name, sanitizers[i]))
			return add(address, end_of(address), WEFT_REFUSAL_BLACKLISTED);
	for (unsigned int i = 0; i < ARRAY_SIZE(entries) && !ret; i++) {
		struct entry *entry = &entries[i];

		if (entry->notifier && *hooked)
			continue;
		if (!entry->last && is_of(name, entry))
			ret = add(address, end_of(address), entry->refusal);
		else if (entry->last && !strcmp(name, entry->first))
			entry->start = address;
	}
	return ret;
}

/*
 * Adds the text between the two symbols of @entry, or nothing if this kernel has neither symbol.
 * -ENOENT: the kernel has only one of them, or both in the wrong order, so it is unknown where the
 * text begins or ends
 */
static int __init add_pair(const struct entry *entry)
{
	if (!entry->start && !entry->end)
		return 0;
	if (entry->start < entry->end && entry->start)
		return add(entry->start, entry->end, entry->refusal);
	pr_err("cannot find the text from %s to %s, which must not be spliced: this kernel does "
	       "not have both symbols in this order\n",
	       entry->first, entry->last);
	return -ENOENT;
}

static int __init add_kasan(void)
{
	int ret = 0;

	if (!wk_call(find)(WR_KASAN_MARK))
		return 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(kasan) && !ret; i++) {
		unsigned long start = wk_call(find)(kasan[i]);

		if (start)
			ret = add(start, end_of(start), WEFT_REFUSAL_BLACKLISTED);
	}
	return ret;
}

static int __init add_thunk(unsigned long start, unsigned long end)
{
	return add(start, end, WEFT_REFUSAL_BLACKLISTED);
}

int __init wk_blacklist_init(bool hooked)
{
	int ret;

	for (unsigned int i = 0; i < ARRAY_SIZE(opens); i++)
		opens[i] = wk_call(find)(open_names[i]);
	ret = wk_call(each_symbol)(visit, &hooked);
	for (unsigned int i = 0; i < ARRAY_SIZE(entries) && !ret; i++)
		if (entries[i].last)
			ret = add_pair(&entries[i]);
	if (!ret)
		ret = add_kasan();
	return ret ? ret : wk_thunks_find(add_thunk);
}

enum weft_refusal wk_blacklist(unsigned long address)
{
	for (unsigned int i = 0; i < nr_texts; i++)
		if (address >= texts[i].start && address < texts[i].end)
			return texts[i].refusal;
	return WEFT_REFUSAL_NONE;
}
