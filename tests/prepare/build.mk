# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the test of `weft prepare`, on a kernel that is small enough to be compiled in a test.

#help   check-prepare  `weft prepare` on a kernel of five sources: what it makes, what it refuses
.PHONY: check-prepare
check-prepare: $(WEFT) $(PLUGIN)
	$(Q)tests/prepare/run.sh $(WEFT) $(PLUGIN)
