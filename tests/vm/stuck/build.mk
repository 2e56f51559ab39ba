# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests whose CPUs all are stuck in advice, seen from outside.

#help   check-stuck   all CPUs in endless advice with interrupts off, and an NMI from outside (2)
.PHONY: check-stuck
check-stuck: all kernel $(KMOD_DEBUG) $(DB) $(NESTING) $(O)/vm/programs/kernel-text \
		$(O)/vm/aspects/budget_loop.ko
	$(Q)$(vm-dir)/stuck/stuck.sh $(O)/vm/stuck
