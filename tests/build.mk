# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tests: each folder that has to build something has a build.mk. Every test program or script
# prints, at the end, one line `N passed, N failed, N skipped`.

# The unit tests' image, which tests in other folders use as well. Their rules may be read before
# unit/build.mk.
UNIT_SAMPLE := $(O)/tests/unit/sample

include tests/quarters.mk
include $(wildcard tests/*/build.mk tests/*/*/build.mk)

# All that the suites need, as collected from their folders. Listed here, so that make builds it
# before a suite runs another make; otherwise suites that run at the same time could build a file
# twice.
check-golden golden-rebase: $(GOLDEN_NEEDS)
.PHONY: check-needs
check-needs: all man $(GOLDEN_NEEDS) $(CHECK_NEEDS) vm-ready stress-ready
