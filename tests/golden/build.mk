# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the golden files: each folder names its targets in GOLDEN_SUITES and GOLDEN_REBASE.

#help   check-golden  the weaver's outputs against golden files
#help   golden-rebase take the weaver's outputs of now as golden files; shows the difference
.PHONY: check-golden golden-rebase
check-golden:
	$(Q)tests/check.sh $(GOLDEN_SUITES)
golden-rebase:
	$(Q)for target in $(GOLDEN_REBASE); do $(MAKE) --no-print-directory $$target; done
