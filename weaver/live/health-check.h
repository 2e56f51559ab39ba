/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One check of `weft doctor` and its result. */
#ifndef WV_HEALTH_CHECK_H
#define WV_HEALTH_CHECK_H

enum wv_health_level {
	WV_HEALTH_OK,
	WV_HEALTH_WARNING, /* some features will not work, or the check was not possible */
	WV_HEALTH_MISSING, /* weaving cannot work */
};

struct wv_health_check {
	const char *name; /* what is checked, a constant: "kernel options" */
	enum wv_health_level level;
	char found[256];  /* what the check has found, for the user */
	char remedy[256]; /* what the user can do; empty if nothing has to be done */
};

/* Sets the result of @check. @found is a format; the text of .found is made from it. */
void wv_health_set(struct wv_health_check *check, enum wv_health_level level, const char *remedy,
		   const char *found, ...) __attribute__((format(printf, 4, 5)));

#endif /* WV_HEALTH_CHECK_H */
