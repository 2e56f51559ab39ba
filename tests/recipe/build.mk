# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests of modules that are built without kbuild, or without a compiler
# (docs/decisions.md): they must be what these make, and these must make them if something has
# changed.

#help   check-recipe  modules built without kbuild are what kbuild makes, byte for byte; what makes
#help                 a learned way to build them stale
#help   bench-recipe  the same with all aspects
#help   check-templates  modules that are made of a template, without a compiler, are what the
#help                 compiler makes
.PHONY: check-recipe bench-recipe check-templates
bench-recipe: export WEFT_LONG := 1
bench-recipe: check-recipe
check-recipe: all $(KMOD) $(RECIPE) $(DB)
	$(Q)tests/recipe/run.sh $(WEFT) "$$(tests/vm/kernel.sh path)" $(DB) $(O)/kmod $(O)/runtime
check-templates: all $(KMOD) $(RECIPE) $(DB)
	$(Q)tests/recipe/templates.sh $(WEFT) "$$(tests/vm/kernel.sh path)" $(DB)
CHECK_NEEDS += $(RECIPE)
