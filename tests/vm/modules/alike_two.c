// SPDX-License-Identifier: GPL-2.0-or-later
/* The second of two modules that differ in one instruction; see alike.h. */
#define ALIKE_JUMPS
#include "alike.h"
