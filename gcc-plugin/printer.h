/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Printing a unit's bytes to the assembler: numbers in DWARF's variable length, strings, and what
 * the assembler has to work out. It knows the unit's envelope and nothing of the lists inside.
 */
#ifndef WEFT_PRINTER_H
#define WEFT_PRINTER_H

#include <stdint.h>

/* Switches to the table's section and prints the header; everything else goes between these two. */
void wp_print_begin(void);
void wp_print_end(void);

void wp_print_uleb(uint64_t value);
void wp_print_sleb(int64_t value);
void wp_print_string(const char *text);

/* A label's address, and the distance from one label to a later one of the same section. */
void wp_print_address(int label);
void wp_print_distance(int from, int to);

#endif /* WEFT_PRINTER_H */
