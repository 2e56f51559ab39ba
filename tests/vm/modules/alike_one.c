// SPDX-License-Identifier: GPL-2.0-or-later
/* See alike.h. */
#include "alike.h"
