/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What GCC's passes do to loads and stores, as far as fate-watch.cc needs to know it. */
#ifndef WEFT_FATE_PASS_H
#define WEFT_FATE_PASS_H

#include "joinpoints.h"

enum pass_kind {
	PASS_OTHER,
	PASS_IDLE, /* changes no statement */
	PASS_DEAD, /* removes only what is not needed */
	PASS_SCALAR, /* replaces variables by registers */
	PASS_TAILS, /* as PASS_REDUNDANT, and merges equal blocks into one */
	/* replaces values by equal ones, removes stores of what the memory holds already */
	PASS_REDUNDANT,
	PASS_MERGING, /* moves stores, or makes one of several */
	PASS_SPLITTING, /* moves code to another function: what is gone gets no fate */
	PASS_EXPAND, /* makes instructions */
	/* makes blocks of the statements, and removes blocks that are never reached */
	PASS_UNREACHABLE,
};

enum pass_kind wp_pass_kind(const opt_pass *pass);

#endif /* WEFT_FATE_PASS_H */
