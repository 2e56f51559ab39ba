# SPDX-License-Identifier: GPL-2.0-or-later
#
# Refusals of the aspect compiler. Advice that does not compile needs a kernel's headers: those
# cases run if the demo kernel has been built.

refuse-kernel := $(patsubst %/vmlinux,%,\
	$(wildcard $(shell tests/vm/kernel.sh path 2>/dev/null)/vmlinux))
# The database and weft.ko are made from this tree: those beside the kernel may be from another one.
refuse-db     := $(if $(refuse-kernel),$(O)/vmlinux.weft)
refuse-needs  := $(if $(refuse-kernel),$(refuse-db) $(KMOD))
CHECK_NEEDS   += $(UNIT_SAMPLE) $(refuse-needs)

#help   check-refuse  command lines, folders and kernels that `weft compile` must refuse
.PHONY: check-refuse
check-refuse: $(WEFT) $(UNIT_SAMPLE) $(refuse-needs)
	$(Q)KERNEL_DB=$(refuse-db) KMOD=$(dir $(KMOD)) \
		tests/refuse/run.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel)
