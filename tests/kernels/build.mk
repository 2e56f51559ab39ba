# SPDX-License-Identifier: GPL-2.0-or-later
#
# Distributions' kernels as shipped. The downloads are large and the first run takes long, so
# `make check` runs what is in the cache only; the same as check-stock on three sources is
# check-records.

KERNELS ?= bookworm trixie trixie-backports
kernels-dir      := tests/kernels
kernels-programs := $(addprefix $(O)/vm/programs/,traffic kernel-text exit-port everything \
	weave-random)

#help   check-kernels  weft on Debian's cloud kernels: 6.1, 6.12, and what backports have (1) (2);
#help                 KERNELS="trixie" for one, CASES=... for some; downloads 600 MB for each
#help   check-new-user  what docs/stock-kernels.md tells a new user, on a fresh Debian 13: packages,
#help                 a guest (2); root; downloads 900 MB; a part of check-kernels
#help   check-kernels-cached  of those in the cache: weft.ko for each, and a guest with one (2)
.PHONY: check-kernels check-kernels-cached check-new-user
check-kernels: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh $(KERNELS)
ifeq ($(CASES),)
check-kernels: $(if $(filter trixie,$(KERNELS)),check-new-user)
endif
check-new-user: $(O)/vm/programs/exit-port
	$(Q)$(kernels-dir)/new-user.sh
check-kernels-cached: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh --quick $(KERNELS)
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
