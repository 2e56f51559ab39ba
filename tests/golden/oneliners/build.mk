# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of one-liners: each NAME.in is a one-liner, and NAME.out the aspect that weft makes
# of it (--xml), or the message with which weft refuses it. No case needs a database.

GOLDEN_SUITES += check-golden-oneliners
GOLDEN_REBASE += golden-rebase-oneliners
oneliners-golden = $(Q)tests/golden/run.sh $(1) tests/golden/oneliners $(WEFT)

.PHONY: check-golden-oneliners golden-rebase-oneliners
check-golden-oneliners: $(WEFT)
	$(call oneliners-golden,test)
golden-rebase-oneliners: $(WEFT)
	$(call oneliners-golden,rebase)
