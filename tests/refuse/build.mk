# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests of refusals of the aspect compiler. Advice that does not compile needs a
# kernel's headers, so those tests run only if the demo kernel has been built.

refuse-kernel := $(patsubst %/vmlinux,%,\
	$(wildcard $(shell tests/vm/kernel.sh path 2>/dev/null)/vmlinux))
# The database and weft.ko are made from this tree, since those in the kernel's folder may be from
# another one.
refuse-db     := $(if $(refuse-kernel),$(O)/vmlinux.weft)
refuse-needs  := $(if $(refuse-kernel),$(refuse-db) $(KMOD))
CHECK_NEEDS   += $(UNIT_SAMPLE) $(refuse-needs)

#help   check-refuse  command lines, folders and kernels that `weft compile` must refuse
.PHONY: check-refuse
check-refuse: $(WEFT) $(UNIT_SAMPLE) $(refuse-needs)
	$(Q)KERNEL_DB=$(refuse-db) KMOD=$(dir $(KMOD)) \
		tests/refuse/run.sh $(WEFT) $(UNIT_SAMPLE) $(refuse-kernel)
