/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads advice, and the attributes that metrics share with advice. */
#ifndef WV_LOAD_ADVICE_H
#define WV_LOAD_ADVICE_H

#include "aspect/language/load-attributes.h"

/* Adds a <before-advice>, <after-advice> or <around-advice> to the aspect. */
void wv_load_advice(struct wv_loader *loader, const struct wv_xml_node *node);

/*
 * Reads the attributes `start` and `stop` into .start_after and .stop_after, in nanoseconds. An
 * attribute that is absent gives 0.
 */
void wv_load_times(struct wv_loader *loader, const struct wv_xml_node *node,
		   struct wv_aspect_advice *advice);

/* Adds the variables that @code names to those of @advice, which evaluates @code. */
void wv_load_take_names(struct wv_loader *loader, struct wv_aspect_advice *advice,
			const struct wv_aspect_code *code);

/*
 * Reports what the joinpoints of @advice's pointcut do not allow in @code, which @advice evaluates.
 */
void wv_load_check_code(struct wv_loader *loader, const struct wv_aspect_advice *advice,
			const struct wv_aspect_code *code);

/*
 * Finds the pointcut that @attribute of @node names, and stores its index in @advice. If the
 * attribute is absent, takes the aspect's only pointcut. Also reports what the joinpoints of this
 * pointcut do not allow: variables that none of them has in the advice's C, after-advice at exits
 * and tracepoints, around-advice of anything but functions and calls.
 */
void wv_load_bind(struct wv_loader *loader, const struct wv_xml_node *node,
		  struct wv_aspect_advice *advice, const char *attribute);

#endif /* WV_LOAD_ADVICE_H */
