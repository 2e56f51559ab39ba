// SPDX-License-Identifier: GPL-2.0-or-later
/* The second of the two modules that alike.h describes. */
#define ALIKE_JUMPS
#include "alike.h"
