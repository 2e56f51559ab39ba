/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says where a unit's code comes from, by its DWARF, for machine.c. Locations are FILE:LINE, with
 * files named as the syntax trees name them.
 */
#ifndef WEFT_TESTS_TRUTH_SOURCE_H
#define WEFT_TESTS_TRUTH_SOURCE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a unit, in place of the one read before. Returns false if it has no lines. */
bool tr_source_read(Dwarf_Die *unit);
/* Writes the source location (FILE:LINE) of an address, by the line table; "" if there is none. */
void tr_source_place(unsigned long long address, char *ret, size_t size);
/*
 * Calls @one with the source location of each call that an inlined function around the address
 * replaces.
 */
void tr_source_calls(unsigned long long address, void (*one)(const char *place, void *data),
		     void *data);

#endif /* WEFT_TESTS_TRUTH_SOURCE_H */
