/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the events of `weft ktrace` in the form of Ktrace's own buffer: triplets of tag, length
 * and value by ASN.1's Basic Encoding Rules. An event is its time, and is followed by those of its
 * variables that have changed since the stream has said them last. docs/ktrace.md has the tags.
 */
#ifndef WV_KTRACE_BER_H
#define WV_KTRACE_BER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/ktrace.h"

/* The tags, all of class application. A tag above 30 takes more than one byte. */
enum {
	WV_KTRACE_TAG_EVENT = 1,     /* of the first event; those of the others follow */
	WV_KTRACE_TAG_VARIABLE = 16, /* of the first variable; those of the others follow */
	WV_KTRACE_TAG_LOST = 31,     /* how many records were lost before the event after it */
	WV_KTRACE_TAG_CPU = 32,      /* on which CPU the events after it are */
};

struct wv_ktrace_ber {
	FILE *out; /* its errors are to be looked for at the end */
	struct wv_ktrace_state told; /* what the stream has said so far */
	bool any_cpu;
	uint32_t cpu; /* if .any_cpu: of the last event */
};

void wv_ktrace_ber_add(struct wv_ktrace_ber *ber, const struct wv_ktrace_event *event);

#endif /* WV_KTRACE_BER_H */
