/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders whose content is run, or loaded into the kernel, by who finds it there. */
#ifndef WV_OWN_FOLDER_H
#define WV_OWN_FOLDER_H

#include "base/error.h"

/*
 * Is the folder @path this user's, and can nobody else write there? -WV_E_FAILURE: others could put
 * something of theirs in it. @what is kept in it; the variable @setting names another one.
 */
int wv_own_folder_check(const char *path, const char *what, const char *setting,
			struct wv_error *error);

#endif /* WV_OWN_FOLDER_H */
