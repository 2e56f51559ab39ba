/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a unit of the table as assembler text: its header, the caller's bytes, and the addresses
 * and distances that the assembler computes.
 */
#ifndef WEFT_PRINTER_H
#define WEFT_PRINTER_H

#include "pack.h"

/*
 * wp_print_begin() switches to the table's section and prints the unit's header; wp_print_end()
 * prints the unit's end. All other output goes between the two calls.
 */
void wp_print_begin(void);
void wp_print_end(void);

void wp_print_bytes(const wp_bytes &bytes);

/*
 * Print what the assembler computes: a label's address, and the distance in bytes from a label to a
 * later label of the same section.
 */
void wp_print_address(int label);
void wp_print_distance(int from, int to);

#endif /* WEFT_PRINTER_H */
