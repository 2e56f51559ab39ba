# SPDX-License-Identifier: GPL-2.0-or-later

#help   check-prepare  `weft prepare` on a kernel of five sources: what it makes, what it refuses
.PHONY: check-prepare
check-prepare: $(WEFT) $(PLUGIN)
	$(Q)tests/prepare/run.sh $(WEFT) $(PLUGIN)
