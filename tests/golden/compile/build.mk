# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of `weft compile`: NAME.out is the C of NAME.xml, made with the database of the unit
# tests' image. That image is written in assembler, so its offsets do not depend on a compiler.

SAMPLE_DB      := $(O)/tests/unit/sample.weft
# A kernel's build folder with only the files that weft checks before it builds.
SAMPLE_KERNEL  := $(O)/tests/golden/kernel
GOLDEN_SUITES  += check-golden-compile
GOLDEN_REBASE  += golden-rebase-compile
GOLDEN_NEEDS   += $(SAMPLE_DB) $(SAMPLE_KERNEL)/vmlinux
compile-golden  = $(Q)tests/golden/run.sh $(1) tests/golden/compile ./print-c.sh $(WEFT) \
	$(SAMPLE_DB) $(SAMPLE_KERNEL)

.PHONY: check-golden-compile golden-rebase-compile
check-golden-compile: $(SAMPLE_DB) $(SAMPLE_KERNEL)/vmlinux
	$(call compile-golden,test)
golden-rebase-compile: $(SAMPLE_DB) $(SAMPLE_KERNEL)/vmlinux
	$(call compile-golden,rebase)

$(SAMPLE_DB): $(O)/tests/unit/sample $(WEFT)
	$(call say,INDEX,$@)
	$(Q)$(WEFT) index $< -o $@ >/dev/null
$(SAMPLE_KERNEL)/vmlinux: $(O)/tests/unit/sample
	@mkdir -p $(@D)
	$(Q)touch $(addprefix $(@D)/,Makefile .config Module.symvers) && cp $< $@
