/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the events of `weft ktrace` in the form of the buffer of Ktrace, an older tracer: triplets
 * of tag, length and value by ASN.1's Basic Encoding Rules. The value of an event is its time.
 * After the event come those of its variables whose values differ from those that the stream has
 * had for them last. docs/ktrace.md has the tags.
 */
#ifndef WV_KTRACE_BER_H
#define WV_KTRACE_BER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/ktrace.h"

/* The tags, all of class application. A tag above 30 takes more than one byte. */
enum {
	WV_KTRACE_TAG_EVENT = 1,     /* of event number 0; the tag of event n is this + n */
	WV_KTRACE_TAG_VARIABLE = 16, /* of variable number 0; the tag of variable n is this + n */
	/* number of records that were lost before the event that follows */
	WV_KTRACE_TAG_LOST = 31,
	WV_KTRACE_TAG_CPU = 32,      /* number of the CPU of the events that follow */
};

struct wv_ktrace_ber {
	FILE *out; /* the caller's; the caller checks ferror() after the last event */
	struct wv_ktrace_state told; /* the values that the stream has had last */
	bool any_cpu;
	uint32_t cpu; /* CPU of the last event; valid if .any_cpu */
};

void wv_ktrace_ber_add(struct wv_ktrace_ber *ber, const struct wv_ktrace_event *event);

#endif /* WV_KTRACE_BER_H */
