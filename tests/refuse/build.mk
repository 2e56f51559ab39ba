# SPDX-License-Identifier: GPL-2.0-or-later
#
# Refusals of the aspect compiler. Advice that does not compile needs a kernel's headers: those cases run where the demo
# kernel has been built and indexed.

refuse-kernel = $(shell k=$$(tests/vm/kernel.sh path 2>/dev/null); [ -e "$$k/vmlinux" ] && echo "$$k")
# Of this tree's weaver and weft.ko: those beside the kernel may be another's.
refuse-db     = $(if $(refuse-kernel),$(O)/vmlinux.weft)
make-refuse-db = $(Q)$(if $(refuse-kernel),$(MAKE) -s --no-print-directory $(refuse-db) $(KMOD),:)

#help   check-refuse  what `weft compile` must refuse, and in which words
#help   refuse-rebase take the refusals of now as the expected ones; shows the difference
.PHONY: check-refuse refuse-rebase
check-refuse: $(WEFT) $(UNIT_SAMPLE)
	$(make-refuse-db)
	$(Q)KERNEL_DB=$(refuse-db) tests/refuse/compile.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel)
refuse-rebase: $(WEFT) $(UNIT_SAMPLE)
	$(make-refuse-db)
	$(Q)KERNEL_DB=$(refuse-db) tests/refuse/compile.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel) --rebase
