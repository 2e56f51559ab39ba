/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flexible return and event delivery (FRED), by which processors enter the kernel since 6.9. */
#ifndef WK_FRED_H
#define WK_FRED_H

#include <linux/types.h>
#include <asm/cpufeature.h>

/* Do exceptions and NMIs come by FRED? Then no entry of the IDT runs, and ERETS returns. */
static inline bool wk_has_fred(void)
{
#ifdef X86_FEATURE_FRED
	return boot_cpu_has(X86_FEATURE_FRED);
#else
	return false;
#endif
}

#endif /* WK_FRED_H */
