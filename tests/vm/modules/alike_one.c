// SPDX-License-Identifier: GPL-2.0-or-later
/* The first of the two modules that alike.h describes. */
#include "alike.h"
