/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the build-id of the running kernel, and loads and unloads modules. */
#ifndef WV_RUNNING_KERNEL_H
#define WV_RUNNING_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Copies the running kernel's GNU build-id (/sys/kernel/notes) to @buffer, which has room for @size
 * bytes, and sets *@size_ret to its number of bytes. Returns -WV_E_MISMATCH if the kernel has no
 * build-id, or one of more than @size bytes.
 */
int wv_kernel_build_id(uint8_t *buffer, size_t size, size_t *size_ret, struct wv_error *error);

/* Writes a build-id in hexadecimal; @text must have room for 2 * @size + 1 bytes. */
void wv_build_id_text(const uint8_t *id, size_t size, char *text);

/*
 * Loads the module file @path. Sets *@loaded_ret to false if a module of that name is loaded
 * already. Returns:
 * -WV_E_MISMATCH: the module was built for another kernel, or needs a symbol that this kernel
 * lacks.
 * -WV_E_PRIVILEGE: the kernel does not let this process load it, or does not trust its signature.
 * -WV_E_NO_MEMORY: there is no memory for the aspect's tables and buffers.
 * -WV_E_FAILURE: another reason, which the kernel's log has.
 */
int wv_kernel_load(const char *path, bool *loaded_ret, struct wv_error *error);

/*
 * Removes the module @name, if it is loaded. Does not wait: returns -WV_E_STATE if the module is in
 * use.
 */
int wv_kernel_unload(const char *name, struct wv_error *error);

#endif /* WV_RUNNING_KERNEL_H */
