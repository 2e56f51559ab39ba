# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests of tests about safety: where a mend is undone, its test has to fail.

#help   check-broken  the patches that undo each mend of safety apply, and their tests are there
#help   bench-broken  undoes each mend, and sees its test fail; an hour (2);
#help                 WEFT_BROKEN='1a 3' for some
.PHONY: check-broken bench-broken
check-broken:
	$(Q)tests/broken/run.sh --check
bench-broken: vm-ready
	$(Q)tests/broken/run.sh $(WEFT_BROKEN)
