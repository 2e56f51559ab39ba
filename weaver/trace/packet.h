/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a recording. A recording is a folder that readers of the Common Trace Format 1.8 can
 * read without conversion:
 *
 *         metadata        the format of the streams, for every CTF reader (tsdl.h)
 *         cpu0, cpu1...   a stream for each CPU that has written: packets, one after another
 *         weft/table      what `weft read` needs besides the other two (table.h)
 *
 * A packet is a struct wv_packet, followed by records as they were in the CPU's ring
 * (runtime/abi-record.h). The first of these records is a state record.
 */
#ifndef WV_TRACE_PACKET_H
#define WV_TRACE_PACKET_H

#include <stdint.h>

#include "runtime/abi.h"

#define WV_TRACE_METADATA "metadata"
#define WV_TRACE_TABLE "weft/table"

#define WV_PACKET_MAGIC 0xc1fc1fc1u

enum { WV_UUID_SIZE = 16 };

/* The header and the context of a packet. tsdl.c describes these members in the same order. */
struct wv_packet {
	uint32_t magic;
	uint8_t uuid[WV_UUID_SIZE];
	uint32_t stream;      /* number of the stream's class; always 0: there is only one class */
	uint64_t first, last; /* times of the first and the last record in nanoseconds */
	/*
	 * Sizes in bits, counted from the beginning of this struct. .packet_bits is the whole
	 * packet, .content_bits the packet without the padding after its last record.
	 */
	uint64_t content_bits, packet_bits;
	/*
	 * number of records lost on this CPU from the beginning of the recording to the end of this
	 * packet
	 */
	uint64_t lost;
	uint32_t cpu;
} __attribute__((packed, aligned(4)));

_Static_assert(sizeof(struct wv_packet) == 68, "tsdl.c describes others");

#endif /* WV_TRACE_PACKET_H */
