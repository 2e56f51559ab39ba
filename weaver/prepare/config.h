/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel's configuration, as in /boot/config-RELEASE. */
#ifndef WV_CONFIG_H
#define WV_CONFIG_H

#include <stdbool.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"

struct wv_config {
	struct wv_pool lines; /* the lines that set an option, such as CONFIG_SMP=y */
	struct wv_str version; /* version of the kernel: "6.1.192"; empty: not in the file */
};

int wv_config_read(const char *path, struct wv_config *ret, struct wv_error *error);
void wv_config_deinit(struct wv_config *config);

#define _cleanup_config_ __attribute__((cleanup(wv_config_deinit)))

/* Returns whether the option is built in: @option=y. @option begins with CONFIG_. */
bool wv_config_has(const struct wv_config *config, const char *option);

/* Checks the configuration @path: the kernel must have all options that weft.ko needs. */
int wv_config_check(const char *path, struct wv_error *error);

/* Returns the value of an option without its quotes; NULL if it is not set. The caller frees it. */
char *wv_config_text(const struct wv_config *config, const char *option);

#endif /* WV_CONFIG_H */
