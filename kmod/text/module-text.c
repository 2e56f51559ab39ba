// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text of modules; see module-text.h.
 *
 * The kernel has no function that says where it has placed a section of a module: its list of
 * sections (/sys/module) is made after a module is announced, and is private. But it has the live
 * addresses of the module's symbols. So a section is found by one of its symbols, the anchor.
 * Before the module's init function has run, the kernel has all symbols of the module's file;
 * afterwards it has only those of the text that stays. The anchor is a symbol whose name no other
 * symbol of the file has, so the same symbol is found before and after.
 */
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "base/lock.h"
#include "base/unexported.h"
#include "compat/module-layout.h"
#include "text/module-text.h"

/* Set by wk_module_text_admit(); under wk_mutex. */
static const struct module *admitted;

void wk_module_text_admit(const struct module *module)
{
	wk_assert_locked();
	admitted = module;
}

/*
 * Is @module weft.ko or an aspect? The module of each aspect, and no other, defines
 * weft_aspect_exit() (runtime/advice.h).
 */
bool wk_module_is_ours(const struct module *module)
{
	char name[MODULE_NAME_LEN + sizeof(":weft_aspect_exit")];

	snprintf(name, sizeof(name), "%s:weft_aspect_exit", module->name);
	return module == THIS_MODULE || wk_call(module_kallsyms_lookup_name)(name);
}

static bool stays(const struct module *module)
{
	return module == admitted || READ_ONCE(module->state) == MODULE_STATE_LIVE;
}

bool wk_module_text_holds(const struct module *module, unsigned long address)
{
	const struct wk_module_memory text = wk_module_text(module);

	return address - text.start < text.size;
}

struct module *wk_module_text_owner(unsigned long address)
{
	struct module *module;

	wk_assert_locked();
	if (address < MODULES_VADDR || address >= MODULES_END)
		return NULL;
	/* a module that does not stay may be freed as soon as preemption is enabled */
	preempt_disable();
	module = wk_call(module_text_address)(address);
	if (module && !(stays(module) && wk_module_text_holds(module, address)))
		module = NULL;
	preempt_enable();
	return module;
}

unsigned long wk_module_text_end(unsigned long address)
{
	const struct module *module = wk_module_text_owner(address);

	return module ? wk_module_text(module).start + wk_module_text(module).size : 0;
}

bool wk_module_text_contains(unsigned long address, unsigned int size)
{
	unsigned long end = wk_module_text_end(address);

	return end && size <= end - address;
}

/* ---- finding which build a module is --------------------------------------------------------- */

/* The build-id note of a module's file, as it lies in the module's read-only data. */
struct build_id_note {
	struct elf64_note head;
	char owner[sizeof("GNU")];
	u8 id[];
};

enum { TYPE_BUILD_ID = 3, NOTE_ALIGN = 4 };

/*
 * Compares the @size bytes at @bytes with @wanted, a part of a module's build-id note.
 *
 * The note is in the read-only data of every module, usually at its beginning, but the kernel keeps
 * the build-id in struct module only with CONFIG_STACKTRACE_BUILD_ID, and never the note's address.
 * So the note is searched for by all of its bytes. 20 of these are a hash, so no other data is
 * equal to it. The search also reads the redzones that KASAN puts between variables; so KASAN is
 * switched off for this function.
 */
static __no_sanitize_address noinline bool is_same(const u8 *bytes, const void *wanted_,
						   unsigned int size)
{
	const u8 *wanted = wanted_;

	while (size && *bytes == *wanted) {
		bytes++;
		wanted++;
		size--;
	}
	return !size;
}

static __no_sanitize_address noinline bool is_build(const struct module *module, const u8 *id,
						    unsigned int size)
{
	const struct wk_module_memory rodata = wk_module_rodata(module);
	unsigned long at = rodata.start, end = at + rodata.size;

	for (; end > at && end - at >= sizeof(struct build_id_note) + size; at += NOTE_ALIGN) {
		const struct build_id_note *note = (const void *)at;

		if (note->head.n_type == TYPE_BUILD_ID && note->head.n_descsz == size &&
		    note->head.n_namesz == sizeof(note->owner) &&
		    is_same((const u8 *)note->owner, "GNU", sizeof(note->owner)) &&
		    is_same(note->id, id, size))
			return true;
	}
	return false;
}

/* ---- finding where a section is -------------------------------------------------------------- */

/*
 * Returns the live address of the only symbol of @module that is called @name; 0: there is none, or
 * there are several.
 */
static unsigned long find_symbol(const struct module *module, const char *name)
{
	const struct mod_kallsyms *symbols = rcu_dereference_sched(module->kallsyms);
	unsigned long found = 0;

	for (unsigned int i = 1; i < symbols->num_symtab; i++) {
		const Elf_Sym *symbol = &symbols->symtab[i];

		if (symbol->st_shndx == SHN_UNDEF ||
		    strcmp(symbols->strtab + symbol->st_name, name))
			continue;
		if (found)
			return 0;
		found = symbol->st_value;
	}
	return found;
}

static unsigned long place(const struct module *module, const struct wk_section *section)
{
	unsigned long base, anchor;

	if (!is_build(module, section->build_id, section->build_id_size))
		return -ESTALE;
	/* The symbols of init sections are freed by RCU; disabled preemption is a reader of RCU. */
	preempt_disable();
	anchor = find_symbol(module, section->anchor);
	preempt_enable();
	base = anchor - section->anchor_offset;
	if (!anchor || !section->size || section->size > wk_module_text(module).size ||
	    !wk_module_text_holds(module, base) ||
	    !wk_module_text_holds(module, base + section->size - 1))
		return -ENXIO;
	return base;
}

unsigned long wk_module_section(const struct wk_section *section)
{
	const struct module *module;

	wk_assert_locked();
	preempt_disable(); /* for the list of modules */
	module = wk_call(find_module)(section->module);
	if (module && !stays(module))
		module = NULL;
	preempt_enable();
	return module ? place(module, section) : -ENOENT;
}
