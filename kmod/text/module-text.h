/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of loadable modules: which module it belongs to, where the kernel has placed a section of
 * it, and which build of the module it is. Init sections never count as text here, since they are
 * freed when the init function has run. Process context, under wk_mutex, unless stated.
 *
 * Text that these functions have found may be read and written until wk_mutex is released, even if
 * the module is unloaded meanwhile. The reason: the functions find only text of live modules, and
 * of the one module that is admitted (wk_module_text_admit()). Before the kernel frees such text,
 * it calls weft.ko's notifier (part-life.c), which has to wait for wk_mutex.
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
 * Returns the live address of the section's first byte, or one of these as a value for which
 * IS_ERR_VALUE() is true:
 * -ENOENT: no such module is loaded
 * -ESTALE: the module has another build-id, or none
 * -ENXIO: the section is not in the text that the module keeps; it is an init section, for example
 */
unsigned long wk_module_section(const struct wk_section *section);

/* Are these bytes text of one module? */
bool wk_module_text_contains(unsigned long address, unsigned int size);

/* Returns the live end of the module text that holds @address; 0: no module's text does. */
unsigned long wk_module_text_end(unsigned long address);

/* The module whose text holds @address; NULL: none. */
struct module *wk_module_text_owner(unsigned long address);

/* Does @address lie in the text of @module that stays? Any context. */
bool wk_module_text_holds(const struct module *module, unsigned long address);

/*
 * Makes the functions of this file find text of @module although the module is not live yet. The
 * caller is a module notifier, and the module's loading waits until the notifier returns. @module
 * NULL: from now on only text of live modules is found.
 */
void wk_module_text_admit(const struct module *module);

/* Is @module weft.ko itself or the module of an aspect? Process context; slow. */
bool wk_module_is_ours(const struct module *module);

#endif /* WK_MODULE_TEXT_H */
