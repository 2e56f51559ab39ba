# SPDX-License-Identifier: GPL-2.0-or-later
#
# Refusals of the aspect compiler. Advice that does not compile needs a kernel's headers: those
# cases run where the demo kernel has been built and indexed.

refuse-kernel = $(shell k=$$(tests/vm/kernel.sh path 2>/dev/null); \
	[ -e "$$k/vmlinux" ] && echo "$$k")
# Of this tree's weaver and weft.ko: those beside the kernel may be another's.
refuse-db     = $(if $(refuse-kernel),$(O)/vmlinux.weft)
make-refuse-db = $(Q)$(if $(refuse-kernel),$(MAKE) -s --no-print-directory $(refuse-db) $(KMOD),:)

#help   check-refuse  command lines, folders and kernels that `weft compile` must refuse
.PHONY: check-refuse
check-refuse: $(WEFT) $(UNIT_SAMPLE)
	$(make-refuse-db)
	$(Q)KERNEL_DB=$(refuse-db) KMOD=$(dir $(KMOD)) \
		tests/refuse/run.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel)
