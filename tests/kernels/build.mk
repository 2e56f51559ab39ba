# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests with kernels of distributions as shipped. The downloads are large and the
# first run takes long, so `make check` runs only what is in the cache. check-objects tests the
# proof of identical functions on six sources.

KERNELS ?= bookworm trixie trixie-backports
kernels-dir      := tests/kernels
kernels-programs := $(addprefix $(O)/vm/programs/,traffic kernel-text exit-port everything \
	weave-random hit-cost module-text active repeats forged-plan)
# The programs that are woven, and the aspects for them (tests/vm/cases/build.mk).
kernels-shop     := $(O)/vm/shop/shop $(patsubst tests/vm/processes/%,$(O)/vm/aspects/%,\
	$(wildcard tests/vm/processes/*.xml)) $(patsubst tests/vm/others/%,$(O)/vm/aspects/%,\
	$(wildcard tests/vm/others/*.xml))

#help   check-kernels  weft on Debian's cloud kernels: 6.1, 6.12, and what backports have (1) (2);
#help                 KERNELS="trixie" for one, CASES=... for some; downloads 600 MB for each
#help   check-new-user  what docs/stock-kernels.md tells a new user, on a fresh Debian 13: packages,
#help                 a guest (2); root; downloads 900 MB; a part of check-kernels
#help   check-kernels-cached  of those in the cache that are not of the demo kernel's version, one,
#help                 by WEFT_SEED: weft.ko, and a guest (2)
#help   check-kernels-compile  weaver, plugin, weft.ko and aspects are compiled for Linux 7.2 by GCC
#help                 16, without a guest; KERNELS=... for others (1)
#help   bench-stock-plan  the share of their instructions, and of ten modules', at jump speed,
#help                 and a part of the plans against objdump; KERNELS=... for some (1)
#help   bench-stock-prepare  what `weft prepare --all` takes, two compilers at a time, and which
#help                 share of functions and labels is found; an hour each; KERNELS=... for some,
#help                 SAMPLE=100 for so many units and an estimate (1)
#help   bench-stock-hit  what a hit costs on them (1) (2)
.PHONY: check-kernels check-kernels-cached check-kernels-compile check-new-user bench-stock-plan \
	bench-stock-hit bench-stock-prepare
check-kernels: all $(kernels-programs) $(kernels-shop)
	$(Q)$(kernels-dir)/run.sh $(KERNELS)
ifeq ($(CASES),)
check-kernels: $(if $(filter trixie,$(KERNELS)),check-new-user)
endif
check-new-user: $(O)/vm/programs/exit-port
	$(Q)$(kernels-dir)/new-user.sh
check-kernels-cached: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh --quick $(KERNELS)
check-kernels-compile:
	$(Q)$(kernels-dir)/run.sh --compile \
		$(if $(filter file,$(origin KERNELS)),forky,$(KERNELS))
bench-stock-plan: $(WEFT) $(PLAN_DUMP) $(PLAN_ORACLE)
	$(Q)$(kernels-dir)/run.sh --plan $(KERNELS)
bench-stock-prepare: all $(O)/vm/programs/measure
	$(Q)$(kernels-dir)/run.sh --prepare $(KERNELS)
bench-stock-hit: all $(kernels-programs)
	$(Q)CASES=hits $(kernels-dir)/run.sh $(KERNELS)
CHECK_NEEDS += $(kernels-programs)

#help   check-objects  `weft index --objects` on a tree of six sources, and with changes to them
.PHONY: check-objects
check-objects: $(WEFT) $(PLUGIN)
	$(Q)$(kernels-dir)/objects.sh $(WEFT) $(PLUGIN)
