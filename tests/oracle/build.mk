# SPDX-License-Identifier: GPL-2.0-or-later
#
# The demo kernel's database against objdump and readelf.

#help   check-oracle  the joinpoint database and the points of functions against objdump, readelf and addr2line
.PHONY: check-oracle
check-oracle: $(WEFT) kernel
	$(Q)tests/oracle/database.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux"
	$(Q)tests/oracle/points.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux"
