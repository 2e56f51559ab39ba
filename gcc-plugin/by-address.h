/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses of members by their address: `atomic_inc(&p->m)`. The searches are for instructions of
 * the current function; @where is the instruction's location with its block. Each calls found() for
 * every access that the instruction does.
 */
#ifndef WEFT_BY_ADDRESS_H
#define WEFT_BY_ADDRESS_H

#include "joinpoints.h"

/*
 * The asm statement at @where, and its operand in memory (outputs are counted first). The member
 * that the operand itself names is found, too. False if nothing is known of the operand.
 */
bool wp_by_address_asm(location_t where, unsigned operand, enum weft_access_effect effect,
		       void (*found)(unsigned access, void *data), void *data);

/* An operand that does @access: `v->counter`, where v is `&p->m`. @own: the operand's location. */
void wp_by_address_member(location_t where, location_t own, unsigned access,
			  void (*found)(unsigned access, void *data), void *data);

/* An operand that names no member: `*v`. @role: load or store. */
void wp_by_address_memory(location_t where, location_t own, int bits, enum weft_access_effect role,
			  void (*found)(unsigned access, void *data), void *data);

/* The memory of an atomic builtin (`__atomic_...`, `__sync_...`). */
void wp_by_address_builtin(location_t where, int bits, enum weft_access_effect effect,
			   void (*found)(unsigned access, void *data), void *data);

/*
 * The addresses that the call at @where passes to @callee as argument number @argument (0: first),
 * in the register of that number.
 */
void wp_by_address_argument(location_t where, tree callee, unsigned argument,
			    void (*found)(unsigned access, void *data), void *data);

#endif /* WEFT_BY_ADDRESS_H */
