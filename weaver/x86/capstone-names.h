/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Includes Capstone. Defines the names of version 4 for the instructions that version 5 has
 * renamed, so that code with these names compiles with both versions.
 */
#ifndef WV_CAPSTONE_NAMES_H
#define WV_CAPSTONE_NAMES_H

#include <capstone/capstone.h>

#if CS_API_MAJOR >= 5
#define X86_INS_FCOMIP X86_INS_FCOMPI
#define X86_INS_FUCOMIP X86_INS_FUCOMPI
#endif

#endif /* WV_CAPSTONE_NAMES_H */
