/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses of members by their address: `atomic_inc(&p->m)`. The functions below search for the
 * accesses of an instruction of the current function; @where is its location with its block. Each
 * function calls found() for every access that the instruction does.
 */
#ifndef WEFT_BY_ADDRESS_H
#define WEFT_BY_ADDRESS_H

#include "joinpoints.h"

/*
 * For the asm statement at @where, and its memory operand number @operand (outputs are counted
 * first). The access of the member that the operand itself names is found, too. Returns false if
 * nothing is known of the operand.
 */
bool wp_by_address_asm(location_t where, unsigned operand, enum weft_access_effect effect,
		       void (*found)(unsigned access, void *data), void *data);

/*
 * For an operand that does @access: `v->counter`, where v is `&p->m`. @own: the operand's location.
 */
void wp_by_address_member(location_t where, location_t own, unsigned access,
			  void (*found)(unsigned access, void *data), void *data);

/*
 * For an operand that names no member: `*v`. @own: the location of its expression, or
 * UNKNOWN_LOCATION. @bits: its size. @role: load or store.
 */
void wp_by_address_memory(location_t where, location_t own, int bits, enum weft_access_effect role,
			  void (*found)(unsigned access, void *data), void *data);

/* For the memory, @bits wide, of an atomic builtin (`__atomic_...`, `__sync_...`). */
void wp_by_address_builtin(location_t where, int bits, enum weft_access_effect effect,
			   void (*found)(unsigned access, void *data), void *data);

/*
 * For the call at @where of @callee: finds the accesses whose member's address it passes as
 * argument number @argument (0: first), in the register of that number.
 */
void wp_by_address_argument(location_t where, tree callee, unsigned argument,
			    void (*found)(unsigned access, void *data), void *data);

#endif /* WEFT_BY_ADDRESS_H */
