// SPDX-License-Identifier: GPL-2.0-or-later
/* See lock.h. */
#include "base/lock.h"

DEFINE_MUTEX(wk_mutex);
