# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of `weft plan` and `weft explain` on the image of tests/golden/points: each NAME.in
# is a command line and NAME.out what it prints.

# The database is named by its path, since make reads the rules of its folder later.
PLAN_DB       := $(O)/tests/golden/points/sample.weft
GOLDEN_SUITES += check-golden-plan
GOLDEN_REBASE += golden-rebase-plan

.PHONY: check-golden-plan golden-rebase-plan
check-golden-plan: $(PLAN_DB)
	$(Q)WEFT_DB=$< tests/golden/run.sh test tests/golden/plan $(WEFT)
golden-rebase-plan: $(PLAN_DB)
	$(Q)WEFT_DB=$< tests/golden/run.sh rebase tests/golden/plan $(WEFT)
