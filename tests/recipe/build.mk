# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the test of modules that are built without kbuild (docs/decisions.md): they must be what
# kbuild makes, and kbuild must make them if something has changed.

#help   check-recipe  modules built without kbuild are what kbuild makes, byte for byte; what makes
#help                 a learned way to build them stale
#help   bench-recipe  the same with all aspects
.PHONY: check-recipe bench-recipe
bench-recipe: export WEFT_LONG := 1
bench-recipe: check-recipe
check-recipe: all $(KMOD) $(RECIPE) $(DB)
	$(Q)tests/recipe/run.sh $(WEFT) "$$(tests/vm/kernel.sh path)" $(DB) $(O)/kmod $(O)/runtime
CHECK_NEEDS += $(RECIPE)
