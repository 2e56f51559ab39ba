/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of loadable modules: which module it belongs to, where the kernel has placed a section of
 * it, and which build of the module it is. Text of init sections never counts, since it is freed
 * when the init function has run. Process context, under wk_mutex, unless stated.
 *
 * Why the text stays: the functions below find only text of live modules and of the one module that
 * is admitted (wk_module_text_admit()). Before the kernel frees the text of either, it calls
 * weft.ko's notifier (part-life.c), which takes wk_mutex. So text that was found may be read and
 * written until wk_mutex is released, even if the module is unloaded meanwhile.
 */
#ifndef WK_MODULE_TEXT_H
#define WK_MODULE_TEXT_H

#include <linux/types.h>

struct module;

/* Where a section of a module is, as its file describes it. */
struct wk_section {
	const char *module; /* name */
	/* name of a symbol of the section; no other symbol of the module has it */
	const char *anchor;
	unsigned int anchor_offset; /* bytes from the section's start to the anchor */
	unsigned long size;
	const u8 *build_id; /* build-id of the module */
	unsigned int build_id_size;
};

/*
 * Returns the live address of the section's first byte, or an error pointer's value
 * (IS_ERR_VALUE()): -ENOENT: no such module is loaded; -ESTALE: the module has another build-id, or
 * none; -ENXIO: the section is not in the module's text that stays, such as an init section.
 */
unsigned long wk_module_section(const struct wk_section *section);

/* Are these bytes text of one module? */
bool wk_module_text_contains(unsigned long address, unsigned int size);

/* The live end of the module's text that holds @address; 0: it is not text of a module. */
unsigned long wk_module_text_end(unsigned long address);

/* The module whose text holds @address; NULL: none. */
struct module *wk_module_text_owner(unsigned long address);

/* Does @address lie in the text of @module that stays? Any context. */
bool wk_module_text_holds(const struct module *module, unsigned long address);

/*
 * From now on text of @module is found although the module is not live yet: the caller is a
 * notifier that its loading waits for. NULL: only text of live modules is found.
 */
void wk_module_text_admit(const struct module *module);

/* Is @module weft.ko itself or the module of an aspect? Process context; slow. */
bool wk_module_is_ours(const struct module *module);

#endif /* WK_MODULE_TEXT_H */
