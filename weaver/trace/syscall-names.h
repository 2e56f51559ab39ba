/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the system calls of x86-64. */
#ifndef WV_SYSCALL_NAMES_H
#define WV_SYSCALL_NAMES_H

#include <stdint.h>

/* Returns the name of the system call @number; NULL: the C library's headers do not have it. */
const char *wv_syscall_name(uint64_t number);

#endif /* WV_SYSCALL_NAMES_H */
