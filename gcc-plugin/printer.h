/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Printing a unit to the assembler: bytes, and what the assembler has to work out. It knows the
 * unit's envelope and nothing of what is inside.
 */
#ifndef WEFT_PRINTER_H
#define WEFT_PRINTER_H

#include "pack.h"

/* Switches to the table's section and prints the header; everything else goes between these two. */
void wp_print_begin(void);
void wp_print_end(void);

void wp_print_bytes(const wp_bytes &bytes);

/* A label's address, and the distance from one label to a later one of the same section. */
void wp_print_address(int label);
void wp_print_distance(int from, int to);

#endif /* WEFT_PRINTER_H */
