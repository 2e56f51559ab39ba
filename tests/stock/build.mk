# SPDX-License-Identifier: GPL-2.0-or-later
#
# A distribution's kernel as shipped: large downloads, so not a part of `make check`.

#help   check-stock   Debian's cloud kernel as shipped: records from its source, shadows from its debug package (2); 330 MB
.PHONY: check-stock
check-stock: all $(filter %/traffic %/kernel-text %/exit-port,$(vm-programs))
	$(Q)tests/stock/stock.sh
