# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of advice that does not compile, with the headers of the demo kernel if that is
# built. NAME.out has weft's lines, and the first line of each of the compiler's messages.

GOLDEN_SUITES += check-golden-refuse-kernel
GOLDEN_REBASE += golden-rebase-refuse-kernel
GOLDEN_NEEDS  += $(refuse-needs)
refuse-kernel-cases = $(words $(wildcard tests/golden/refuse-kernel/*.xml))
refuse-kernel-golden = $(Q)$(if $(refuse-kernel),\
	tests/golden/run.sh $(1) tests/golden/refuse-kernel ../refuse/refused.sh \
	"'^weft: \|^[a-z_]*\.xml:[0-9]*:[0-9]*: '" $(WEFT) --db $(refuse-db) \
	--kernel $(refuse-kernel) --kmod $(dir $(KMOD)),\
	echo '0 passed, 0 failed, $(refuse-kernel-cases) skipped')

.PHONY: check-golden-refuse-kernel golden-rebase-refuse-kernel
check-golden-refuse-kernel: $(WEFT) $(refuse-needs)
	$(call refuse-kernel-golden,test)
golden-rebase-refuse-kernel: $(WEFT) $(refuse-needs)
	$(call refuse-kernel-golden,rebase)
