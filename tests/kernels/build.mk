# SPDX-License-Identifier: GPL-2.0-or-later
#
# Distributions' kernels as shipped. The downloads are large and the first run takes long, so
# `make check` runs what is in the cache only; check-objects has the same proof on six sources.

KERNELS ?= bookworm trixie trixie-backports
kernels-dir      := tests/kernels
kernels-programs := $(addprefix $(O)/vm/programs/,traffic kernel-text exit-port everything \
	weave-random)

#help   check-kernels  weft on Debian's cloud kernels: 6.1, 6.12, and what backports have (1) (2);
#help                 KERNELS="trixie" for one, CASES=... for some; downloads 600 MB for each
#help   check-kernels-cached  of those in the cache: weft.ko for each, and a guest with one (2)
.PHONY: check-kernels check-kernels-cached
check-kernels: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh $(KERNELS)
check-kernels-cached: all $(kernels-programs)
	$(Q)$(kernels-dir)/run.sh --quick $(KERNELS)
CHECK_NEEDS += $(kernels-programs)

#help   check-objects  `weft index --objects` on a tree of six sources, and with changes to them
.PHONY: check-objects
check-objects: $(WEFT) $(PLUGIN)
	$(Q)$(kernels-dir)/objects.sh $(WEFT) $(PLUGIN)
