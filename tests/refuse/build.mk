# SPDX-License-Identifier: GPL-2.0-or-later
#
# Refusals of the aspect compiler. Advice that does not compile needs a kernel's headers: those cases run where the demo
# kernel has been built and indexed.

refuse-kernel = $(shell k=$$(tests/vm/kernel.sh path 2>/dev/null); [ -e "$$k/vmlinux.weft" ] && echo "$$k")

#help   check-refuse  what `weft compile` must refuse, and in which words
#help   refuse-rebase take the refusals of now as the expected ones; shows the difference
.PHONY: check-refuse refuse-rebase
check-refuse: $(WEFT) $(UNIT_SAMPLE)
	$(Q)tests/refuse/compile.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel)
refuse-rebase: $(WEFT) $(UNIT_SAMPLE)
	$(Q)tests/refuse/compile.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel) --rebase
