// SPDX-License-Identifier: GPL-2.0-or-later
/* The first of two modules that differ in one instruction; see alike.h. */
#include "alike.h"
