// SPDX-License-Identifier: GPL-2.0-or-later
/* Defines wk_mutex; see lock.h. */
#include "base/lock.h"

DEFINE_MUTEX(wk_mutex);
