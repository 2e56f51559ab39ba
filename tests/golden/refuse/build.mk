# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of aspects that `weft compile` must refuse: NAME.out has the messages and the exit
# code for NAME.xml.

GOLDEN_SUITES += check-golden-refuse
GOLDEN_REBASE += golden-rebase-refuse
refuse-golden  = $(Q)tests/golden/run.sh $(1) tests/golden/refuse ./refused.sh . $(WEFT) \
		 --db $(O)/tests/unit/sample.weft --kernel $(O)/tests/golden/kernel

.PHONY: check-golden-refuse golden-rebase-refuse
check-golden-refuse: $(O)/tests/unit/sample.weft $(O)/tests/golden/kernel/vmlinux
	$(call refuse-golden,test)
golden-rebase-refuse: $(O)/tests/unit/sample.weft $(O)/tests/golden/kernel/vmlinux
	$(call refuse-golden,rebase)
