/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features of the processor that old kernels do not know. */
#ifndef WK_CPU_H
#define WK_CPU_H

#include <linux/types.h>
#include <asm/cpufeature.h>

/*
 * Does the processor enter the kernel by FRED (6.9), and not through the interrupt descriptor
 * table?
 */
static inline bool wk_cpu_has_fred(void)
{
#ifdef X86_FEATURE_FRED
	return cpu_feature_enabled(X86_FEATURE_FRED);
#else
	return false;
#endif
}

/*
 * Can an attacker make the processor mispredict indirect branches that are in the lower half of a
 * cache line (ITS)?
 */
static inline bool wk_cpu_has_its(void)
{
#ifdef X86_BUG_ITS
	return boot_cpu_has_bug(X86_BUG_ITS);
#else
	return false;
#endif
}

#endif /* WK_CPU_H */
