/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the compiler that the kernel was built with, the plugin for it, and whatever else kbuild
 * needs.
 */
#ifndef WV_COMPILER_H
#define WV_COMPILER_H

#include "prepare/prepare.h"

/*
 * Sets .compiler_found and .plugin_found, unless they are set. The compiler must be exactly the one
 * that the configuration names (CONFIG_CC_VERSION_TEXT), because another build of it generates
 * other code. If the configuration is not known yet, checks only what does not depend on it, so
 * that errors are reported before anything is downloaded. Returns:
 * -WV_E_MISMATCH: the compiler is not installed, and the message names its package; or the kernel
 * was not compiled by GCC.
 * -WV_E_FAILURE: there is no plugin for the compiler; or programs or headers that a kernel's build
 * needs are missing, and the message has the command that installs them.
 */
int wv_compiler_find(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_COMPILER_H */
