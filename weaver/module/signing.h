/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The key by which modules are signed. A kernel that enforces signatures loads a module only if it
 * is signed by a key which that kernel trusts.
 */
#ifndef WV_SIGNING_H
#define WV_SIGNING_H

#include <limits.h>

#include "base/error.h"

struct wv_signing {
	char tool[PATH_MAX]; /* path of the kernel's scripts/sign-file; "": do not sign modules */
	/* sign-file's name of the hash algorithm: the kernel's CONFIG_MODULE_SIG_HASH */
	char hash[32];
	char key[PATH_MAX];  /* a file, or a pkcs11: URI */
	char certificate[PATH_MAX];
};

/*
 * Finds how to sign modules for the kernel of the folder @kernel. Takes the pair @key, @certificate
 * or, if both are NULL, the pair that $WEFT_SIGN_KEY and $WEFT_SIGN_CERT name. If no pair is named,
 * takes the first of these that can be read: the pair that the kernel was built with, that of DKMS,
 * that of shim-signed. If there is none, or the kernel has no module signatures, @ret->tool is "":
 * then modules are not signed. Returns -WV_E_USAGE if only one of the two is named. Returns another
 * error if the pair that is named cannot be used.
 */
int wv_signing_find(const char *kernel, const char *key, const char *certificate,
		    struct wv_signing *ret, struct wv_error *error);

/* Returns whether @key is the path of a file, and not a pkcs11: URI. */
bool wv_signing_key_is_file(const char *key);

#endif /* WV_SIGNING_H */
