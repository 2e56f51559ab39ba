/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of loadable modules: whose it is, where the kernel has placed a section of it, and which
 * build of the module it is. Text of init sections never counts, since it is freed when init has
 * run. Process context, under wk_mutex, unless stated.
 *
 * Why the text stays: what is found here is a live module's, or that of the one module that is
 * being admitted. The kernel tells weft.ko before it frees either (part-life.c), and that takes
 * wk_mutex. So what was found may be read and written until wk_mutex is released, even if the
 * module is unloaded meanwhile.
 */
#ifndef WK_MODULE_TEXT_H
#define WK_MODULE_TEXT_H

#include <linux/types.h>

struct module;

/* Where a section of a module is, as its file describes it. */
struct wk_section {
	const char *module; /* name */
	const char *anchor; /* a symbol of the section; no other of the module has its name */
	unsigned int anchor_offset; /* bytes from the section's start to it */
	unsigned long size;
	const u8 *build_id; /* of the module */
	unsigned int build_id_size;
};

/*
 * Returns the live address of the section's first byte, or an error pointer's value
 * (IS_ERR_VALUE()): -ENOENT: no such module is loaded; -ESTALE: it has another build-id, or none;
 * -ENXIO: the section is not among the text that stays, as init sections are not.
 */
unsigned long wk_module_section(const struct wk_section *section);

/* Are these bytes text of one module? */
bool wk_module_text_contains(unsigned long address, unsigned int size);

/* The live end of the module's text that holds @address; 0: no module's. */
unsigned long wk_module_text_end(unsigned long address);

/* The module whose text holds @address; NULL: none. */
struct module *wk_module_text_owner(unsigned long address);

/* Does @address lie in the text of @module that stays? Any context. */
bool wk_module_text_holds(const struct module *module, unsigned long address);

/*
 * Admits the text of @module although it is not live yet: its loading waits for the caller, and is
 * told of its end. NULL: nobody's.
 */
void wk_module_text_admit(const struct module *module);

/* Is it weft.ko or an aspect? Process context; slow. */
bool wk_module_is_ours(const struct module *module);

#endif /* WK_MODULE_TEXT_H */
