/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the configuration of a kernel, a file such as /boot/config-RELEASE. */
#ifndef WV_CONFIG_H
#define WV_CONFIG_H

#include <stdbool.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"

struct wv_config {
	struct wv_pool lines; /* the lines that set an option, such as CONFIG_SMP=y */
	struct wv_str version; /* the kernel's version: "6.1.192"; empty: the file has none */
};

int wv_config_read(const char *path, struct wv_config *ret, struct wv_error *error);
void wv_config_deinit(struct wv_config *config);

#define _cleanup_config_ __attribute__((cleanup(wv_config_deinit)))

/* Returns whether the configuration has the line "@option=y". @option begins with CONFIG_. */
bool wv_config_has(const struct wv_config *config, const char *option);

/*
 * Returns -WV_E_FAILURE if the configuration @path lacks options that weft.ko needs; the message
 * names them.
 */
int wv_config_check(const char *path, struct wv_error *error);

/* Returns the value of an option without its quotes; NULL if it is not set. The caller frees it. */
char *wv_config_text(const struct wv_config *config, const char *option);

#endif /* WV_CONFIG_H */
