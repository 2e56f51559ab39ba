# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest all of whose CPUs have interrupts off, and advice that never ends.

#help   check-deaf    all CPUs in endless advice with interrupts off, and an NMI from outside (2)
.PHONY: check-deaf
check-deaf: all kernel $(KMOD_DEBUG) $(DB) $(NESTING) $(O)/vm/programs/kernel-text \
		$(O)/vm/aspects/budget_loop.ko
	$(Q)$(vm-dir)/deaf/deaf.sh $(O)/vm/deaf
