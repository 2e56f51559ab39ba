# SPDX-License-Identifier: GPL-2.0-or-later
#
# Distributions' kernels as shipped. The downloads are large and the first run takes long, so
# `make check` runs what is in the cache only; the same as check-stock on three sources is
# check-records.

KERNELS ?= bookworm trixie trixie-backports
kernels-dir      := tests/kernels
kernels-programs := $(addprefix $(O)/vm/programs/,traffic kernel-text exit-port everything \
	weave-random hit-cost module-text)

#help   check-kernels  weft on Debian's cloud kernels: 6.1, 6.12, and what backports have (1) (2);
#help                 KERNELS="trixie" for one, CASES=... for some; downloads 600 MB for each
#help   check-kernels-cached  of those in the cache, the last: weft.ko, and a guest with it (2)
#help   bench-stock-plan  the share of their instructions, and of ten modules', at jump speed,
#help                 and a part of the plans against objdump; KERNELS=... for some (1)
#help   bench-stock-hit  what a hit costs on them (1) (2)
.PHONY: check-kernels check-kernels-cached bench-stock-plan bench-stock-hit
check-kernels: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh $(KERNELS)
check-kernels-cached: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh --quick $(KERNELS)
bench-stock-plan: all $(PLAN_DUMP) $(PLAN_ORACLE)
	$(Q)$(kernels-dir)/run.sh --plan $(KERNELS)
bench-stock-hit: all $(kernels-programs)
	$(Q)CASES=hits $(kernels-dir)/run.sh $(KERNELS)
CHECK_NEEDS += $(kernels-programs)

#help   check-stock   Debian's cloud kernel as shipped: records from its source, shadows from its
#help                 debug package, and what is refused (2); downloads 600 MB
.PHONY: check-stock
check-stock: all $(kernels-programs)
	$(Q)$(kernels-dir)/stock.sh

#help   check-records  records.sh and `weft index --records` on a tree of three sources
.PHONY: check-records
check-records: $(WEFT) $(PLUGIN)
	$(Q)$(kernels-dir)/small.sh $(WEFT) $(PLUGIN)

#help   check-objects  `weft index --objects` on a tree of six sources, and with changes to them
.PHONY: check-objects
check-objects: $(WEFT) $(PLUGIN)
	$(Q)$(kernels-dir)/objects.sh $(WEFT) $(PLUGIN)
