/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a unit of the table as assembler text: its header, bytes, and what the assembler computes.
 * What the bytes contain is the caller's.
 */
#ifndef WEFT_PRINTER_H
#define WEFT_PRINTER_H

#include "pack.h"

/*
 * Switches to the table's section and prints the header; prints the end of the unit. All other
 * output goes between the two.
 */
void wp_print_begin(void);
void wp_print_end(void);

void wp_print_bytes(const wp_bytes &bytes);

/* A label's address, and the distance in bytes from a label to a later one of the same section. */
void wp_print_address(int label);
void wp_print_distance(int from, int to);

#endif /* WEFT_PRINTER_H */
