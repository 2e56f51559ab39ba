# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of `weft compile`: XML here -> C, against the database of the unit tests' sample image.

GOLDEN_SUITES += check-golden-compile
GOLDEN_REBASE += golden-rebase-compile

.PHONY: check-golden-compile golden-rebase-compile
check-golden-compile: $(WEFT) $(UNIT_SAMPLE)
	$(Q)tests/golden/compile/run.sh $(WEFT) $(UNIT_SAMPLE)
golden-rebase-compile: $(WEFT) $(UNIT_SAMPLE)
	$(Q)tests/golden/compile/run.sh $(WEFT) $(UNIT_SAMPLE) --rebase
