# SPDX-License-Identifier: GPL-2.0-or-later
#
# The test of a guest whose CPUs all have interrupts off while advice never ends.

#help   check-all-endless  endless advice on all CPUs, interrupts off; an NMI from outside (2)
.PHONY: check-all-endless
check-all-endless: all kernel $(KMOD_DEBUG) $(DB) $(NESTING) $(O)/vm/programs/kernel-text \
		$(O)/vm/aspects/budget_loop.ko
	$(Q)$(vm-dir)/all-endless/all-endless.sh $(O)/vm/all-endless
