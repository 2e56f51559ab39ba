# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the check of aspects, and of the manual's examples, against the aspect language's
# schema. The examples are also compiled with the demo kernel's database if there is one.

GOLDEN_SUITES += check-golden-schema

.PHONY: check-golden-schema
check-golden-schema: $(WEFT) $(refuse-needs)
	$(Q)tests/golden/schema/run.sh $(WEFT) $(refuse-kernel) $(refuse-db)
