# SPDX-License-Identifier: GPL-2.0-or-later
#
# A distribution's kernel as shipped: large downloads, so not a part of `make check`; the same on
# three sources is.

#help   check-stock   Debian's cloud kernel as shipped: records from its source, shadows from its
#help                 debug package (2); 330 MB
.PHONY: check-stock
check-stock: all $(addprefix $(O)/vm/programs/,traffic kernel-text exit-port)
	$(Q)tests/stock/stock.sh

#help   check-records  records.sh and `weft index --records` on a tree of three sources
.PHONY: check-records
check-records: $(WEFT) $(PLUGIN)
	$(Q)tests/stock/small.sh $(WEFT) $(PLUGIN)

#help   check-objects  `weft index --objects` on a tree of five sources, and with changes to them
.PHONY: check-objects
check-objects: $(WEFT) $(PLUGIN)
	$(Q)tests/stock/objects.sh $(WEFT) $(PLUGIN)
