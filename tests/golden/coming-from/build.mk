# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of docs/coming-from.md: each NAME.in is one of its chapters. NAME.out shows, for each
# line of weft in the chapter, the aspect of a one-liner, or that weft understands the command. No
# case needs a database.

GOLDEN_SUITES += check-golden-coming-from
GOLDEN_REBASE += golden-rebase-coming-from
coming-from    = $(Q)tests/golden/run.sh $(1) tests/golden/coming-from ./lines.sh $(WEFT)

.PHONY: check-golden-coming-from golden-rebase-coming-from
check-golden-coming-from: $(WEFT)
	$(call coming-from,test)
golden-rebase-coming-from: $(WEFT)
	$(call coming-from,rebase)
