/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a module's text and read-only data are, without the init sections. */
#ifndef WK_MODULE_LAYOUT_H
#define WK_MODULE_LAYOUT_H

#include <linux/module.h>

struct wk_module_memory {
	unsigned long start, size; /* live address; bytes */
};

/*
 * Returns where the text of @module is. Since 6.4 each kind of a module's memory is described
 * separately, in module->mem[].
 */
static inline struct wk_module_memory wk_module_text(const struct module *module)
{
#ifdef WK_HAS_MODULE_MEMORY
	return (struct wk_module_memory){ (unsigned long)module->mem[MOD_TEXT].base,
					  module->mem[MOD_TEXT].size };
#else
	return (struct wk_module_memory){ (unsigned long)module->core_layout.base,
					  module->core_layout.text_size };
#endif
}

static inline struct wk_module_memory wk_module_rodata(const struct module *module)
{
#ifdef WK_HAS_MODULE_MEMORY
	return (struct wk_module_memory){ (unsigned long)module->mem[MOD_RODATA].base,
					  module->mem[MOD_RODATA].size };
#else
	const struct wk_module_memory text = wk_module_text(module);

	return (struct wk_module_memory){ text.start + text.size,
					  module->core_layout.ro_size - text.size };
#endif
}

#endif /* WK_MODULE_LAYOUT_H */
