// SPDX-License-Identifier: GPL-2.0-or-later
/* Are there vm_flags_set() and vm_flags_clear(), which change the flags of a mapping (6.3)? */
#include <linux/module.h>
#include <linux/mm.h>

void vm_flags_set_(struct vm_area_struct *vma);

void vm_flags_set_(struct vm_area_struct *vma)
{
	vm_flags_set(vma, VM_DONTDUMP);
	vm_flags_clear(vma, VM_MAYWRITE);
}
