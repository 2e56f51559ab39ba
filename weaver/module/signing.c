// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the key that modules are signed with; see signing.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "module/signing.h"

/*
 * Reads the hash algorithm with which the kernel's build signs modules; @hash stays "" without
 * CONFIG_MODULE_SIG.
 */
static void read_hash(const char *kernel, char hash[32])
{
	_cleanup_fclose_ FILE *file = NULL;
	char path[PATH_MAX], line[256];

	hash[0] = '\0';
	if ((size_t)snprintf(path, sizeof(path), "%s/.config", kernel) >= sizeof(path))
		return;
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "CONFIG_MODULE_SIG_HASH=\"%31[^\"]\"", hash) == 1)
			return;
	hash[0] = '\0';
}

bool wv_signing_key_is_file(const char *key)
{
	return strncmp(key, "pkcs11:", strlen("pkcs11:"));
}

static bool is_readable(const char *key)
{
	return !wv_signing_key_is_file(key) || !access(key, R_OK);
}

/* Sets the pair of key and certificate in @signing. False: one of the two cannot be read. */
static bool take(struct wv_signing *signing, const char *key, const char *certificate)
{
	return (size_t)snprintf(signing->key, PATH_MAX, "%s", key) < PATH_MAX &&
	       (size_t)snprintf(signing->certificate, PATH_MAX, "%s", certificate) < PATH_MAX &&
	       is_readable(key) && !access(certificate, R_OK);
}

static bool take_default(struct wv_signing *signing, const char *kernel)
{
	char key[PATH_MAX], certificate[PATH_MAX];

	if ((size_t)snprintf(key, sizeof(key), "%s/certs/signing_key.pem", kernel) < sizeof(key) &&
	    (size_t)snprintf(certificate, sizeof(certificate), "%s/certs/signing_key.x509",
			     kernel) < sizeof(certificate) &&
	    take(signing, key, certificate))
		return true;
	return take(signing, "/var/lib/dkms/mok.key", "/var/lib/dkms/mok.pub") ||
	       take(signing, "/var/lib/shim-signed/mok/MOK.priv",
		    "/var/lib/shim-signed/mok/MOK.der");
}

/* Checks that the pair of key and certificate that the user has named can be used. */
static int check_named(struct wv_signing *signing, const char *kernel, const char *key,
		       const char *certificate, struct wv_error *error)
{
	if (!key || !certificate)
		return wv_fail(error, WV_E_USAGE,
			       "a key to sign with and its certificate belong together: name both "
			       "(--sign-key, --sign-cert)");
	if (!take(signing, key, certificate))
		return wv_fail_errno(error, errno, "%s",
				     is_readable(key) ? certificate : key);
	if (!signing->hash[0])
		return wv_fail(error, WV_E_FAILURE,
			       "%s: the kernel is built without CONFIG_MODULE_SIG and knows no "
			       "signatures: leave out --sign-key",
			       kernel);
	if (access(signing->tool, X_OK))
		return wv_fail_errno(error, errno,
				     "%s, which signs modules (on Debian in linux-kbuild)",
				     signing->tool);
	return 0;
}

int wv_signing_find(const char *kernel, const char *key, const char *certificate,
		    struct wv_signing *ret, struct wv_error *error)
{
	if (!key && !certificate) {
		key = getenv("WEFT_SIGN_KEY");
		certificate = getenv("WEFT_SIGN_CERT");
	}
	read_hash(kernel, ret->hash);
	if ((size_t)snprintf(ret->tool, PATH_MAX, "%s/scripts/sign-file", kernel) >= PATH_MAX)
		return wv_fail_errno(error, ENAMETOOLONG, "%s", kernel);
	if (key || certificate)
		return check_named(ret, kernel, key, certificate, error);
	if (!ret->hash[0] || access(ret->tool, X_OK) || !take_default(ret, kernel))
		ret->tool[0] = '\0';
	return 0;
}
