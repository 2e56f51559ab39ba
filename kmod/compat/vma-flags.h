/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes the flags of a mapping that is being made. */
#ifndef WK_VMA_FLAGS_H
#define WK_VMA_FLAGS_H

#include <linux/mm.h>

/*
 * Since 6.3 the flags of a mapping can be changed only by vm_flags_set() and vm_flags_clear(),
 * which also take the lock of the mapping.
 */
static inline void wk_vma_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef WK_HAS_VM_FLAGS_SET
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

static inline void wk_vma_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef WK_HAS_VM_FLAGS_SET
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

#endif /* WK_VMA_FLAGS_H */
