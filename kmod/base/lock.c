// SPDX-License-Identifier: GPL-2.0-or-later
/* Defines the locks; see lock.h. */
#include "base/lock.h"

DEFINE_MUTEX(wk_mutex);
DEFINE_SPINLOCK(wk_readers_lock);
