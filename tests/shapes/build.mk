# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests of modules in the shapes in which distributions ship them. The module is that
# of tests/golden/modules and, if a shipped kernel is in the cache, one of its modules, too.

#help   check-shapes  modules that are stripped, compressed, truncated or of another build
.PHONY: check-shapes
check-shapes: all $(O)/tests/golden/modules/old/sample.weft
	$(Q)tests/shapes/run.sh $(WEFT) $(O)/tests/golden/points/sample \
		$(O)/tests/golden/modules/old/carrier.ko $(O)/tests/golden/modules/new/ware-house.ko
CHECK_NEEDS += $(O)/tests/golden/modules/old/sample.weft

#help   check-threads the threads of `weft index` under ThreadSanitizer, a weaver of its own
.PHONY: check-threads
check-threads: plugin $(O)/tests/golden/modules/old/sample.weft
	$(Q)$(MAKE) --no-print-directory O=$(O)/threads OPT='-O1 -g -fsanitize=thread' \
		$(O)/threads/weft
	$(Q)tests/shapes/threads.sh $(O)/threads/weft $(O)/tests/golden/points/sample \
		$(MODULES_KOS)
