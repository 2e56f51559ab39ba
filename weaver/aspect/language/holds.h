/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds C that may hold something of a CPU, such as a spin lock, from one statement to the next. */
#ifndef WV_HOLDS_H
#define WV_HOLDS_H

#include <stdbool.h>

#include "aspect/language/code.h"

/*
 * Returns whether the C in @code may hold a lock or the like, or switch off preemption, softirqs or
 * interrupts. Returns false only if it certainly does not. All C of an aspect has to be asked for:
 * one piece may define what another one names.
 */
bool wv_code_may_hold(const struct wv_aspect_code *code);

#endif /* WV_HOLDS_H */
