# SPDX-License-Identifier: GPL-2.0-or-later
#
# One-liners: each NAME.in is one, and NAME.out the aspect that it is (--xml), or in which words it
# is refused. Neither needs a database.

GOLDEN_SUITES += check-golden-oneliners
GOLDEN_REBASE += golden-rebase-oneliners
oneliners-golden = $(Q)tests/golden/run.sh $(1) tests/golden/oneliners $(WEFT)

.PHONY: check-golden-oneliners golden-rebase-oneliners
check-golden-oneliners: $(WEFT)
	$(call oneliners-golden,test)
golden-rebase-oneliners: $(WEFT)
	$(call oneliners-golden,rebase)
