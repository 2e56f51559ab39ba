/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the compiler that the kernel was built with, the plugin for it, and whatever else kbuild
 * needs.
 */
#ifndef WV_COMPILER_H
#define WV_COMPILER_H

#include "prepare/prepare.h"

/*
 * Sets .compiler_found and .plugin_found, unless they are set. If the configuration is not here
 * yet, checks only what does not depend on it, so that this is done before anything is fetched.
 * Another build of the compiler makes other code, so it must be exactly the one that the
 * configuration names (CONFIG_CC_VERSION_TEXT). -WV_E_MISMATCH: it is another one; the message
 * names the package. -WV_E_FAILURE: there is no plugin for it, or a program or header is missing
 * that the build of a kernel needs; the message has the command that installs all of them.
 */
int wv_compiler_find(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_COMPILER_H */
