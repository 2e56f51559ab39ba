/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds allocations in advice that may sleep, at compile time. If the flags of an allocation are
 * constant and allow direct reclaim, as GFP_KERNEL does, the macros below add a call of
 * weft_allocation_sleeps(), which does nothing. After the compile the weaver looks whether any
 * advice can reach such a call (weaver/module/check-calls.c), and refuses the aspect if so. Start
 * and end blocks may make such allocations. An allocation whose flags are computed at run time is
 * not marked.
 *
 * Included by generated code only, before the author's headers.
 */
#ifndef WEFT_ALLOCATION_CHECK_H
#define WEFT_ALLOCATION_CHECK_H

#include <linux/gfp.h>
#include <linux/slab.h>

static noinline __maybe_unused void weft_allocation_sleeps(void)
{
	asm volatile(""); /* keeps the call */
}

/*
 * @call: the allocation itself. In the macros below, @call has the macro's own name. Since a
 * macro's name is not expanded again inside the macro, it is then the kernel's function.
 */
#define WEFT_ALLOCATION(flags, call)                                                        \
	({                                                                                  \
		if (__builtin_constant_p(flags) && gfpflags_allow_blocking(flags))          \
			weft_allocation_sleeps();                                           \
		call;                                                                       \
	})

/* Since 6.10 (commit 7bd230a26648) the kernel itself defines these names as macros. */
#ifndef kmalloc
#define kmalloc(size, flags) WEFT_ALLOCATION(flags, kmalloc(size, flags))
#define kzalloc(size, flags) WEFT_ALLOCATION(flags, kzalloc(size, flags))
#define kcalloc(n, size, flags) WEFT_ALLOCATION(flags, kcalloc(n, size, flags))
#define kmalloc_array(n, size, flags) WEFT_ALLOCATION(flags, kmalloc_array(n, size, flags))
#define kmem_cache_alloc(cache, flags) WEFT_ALLOCATION(flags, kmem_cache_alloc(cache, flags))
#else
#undef kmalloc
#undef kzalloc
#undef kcalloc
#undef kmalloc_array
#undef kmem_cache_alloc
#define kmalloc(size, flags) WEFT_ALLOCATION(flags, alloc_hooks(kmalloc_noprof(size, flags)))
#define kzalloc(size, flags) WEFT_ALLOCATION(flags, alloc_hooks(kzalloc_noprof(size, flags)))
#define kcalloc(n, size, flags) \
	WEFT_ALLOCATION(flags, alloc_hooks(kmalloc_array_noprof(n, size, (flags) | __GFP_ZERO)))
#define kmalloc_array(n, size, flags) \
	WEFT_ALLOCATION(flags, alloc_hooks(kmalloc_array_noprof(n, size, flags)))
#define kmem_cache_alloc(cache, flags) \
	WEFT_ALLOCATION(flags, alloc_hooks(kmem_cache_alloc_noprof(cache, flags)))
#endif

#endif /* WEFT_ALLOCATION_CHECK_H */
