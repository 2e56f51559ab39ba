# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/coming-from.md: each NAME.in is one of its chapters, NAME.out what its lines of weft are: of
# one-liners the aspect, of others that they are understood. No case needs a database.

GOLDEN_SUITES += check-golden-coming-from
GOLDEN_REBASE += golden-rebase-coming-from
coming-from    = $(Q)tests/golden/run.sh $(1) tests/golden/coming-from ./lines.sh $(WEFT)

.PHONY: check-golden-coming-from golden-rebase-coming-from
check-golden-coming-from: $(WEFT)
	$(call coming-from,test)
golden-rebase-coming-from: $(WEFT)
	$(call coming-from,rebase)
