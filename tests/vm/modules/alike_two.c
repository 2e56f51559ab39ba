// SPDX-License-Identifier: GPL-2.0-or-later
/* See alike.h. */
#define ALIKE_JUMPS
#include "alike.h"
