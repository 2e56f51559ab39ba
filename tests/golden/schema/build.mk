# SPDX-License-Identifier: GPL-2.0-or-later
#
# The aspect language's schema, and the manual's examples, against the demo kernel's database where
# it is there.

GOLDEN_SUITES += check-golden-schema

.PHONY: check-golden-schema
check-golden-schema: $(WEFT) $(refuse-needs)
	$(Q)tests/golden/schema/run.sh $(WEFT) $(refuse-kernel) $(refuse-db)
