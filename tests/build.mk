# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests: each folder that has to build something has a build.mk. Every test program or
# script ends with one line `N passed, N failed, N skipped`.

# The image of the unit tests, which tests in other folders use as well. The rules of those may be
# read before unit/build.mk.
UNIT_SAMPLE := $(O)/tests/unit/sample

include tests/shares.mk
include $(wildcard tests/*/build.mk tests/*/*/build.mk)

# Everything that the suites need, collected from their folders. make builds it before a suite runs
# another make, because suites that run at the same time could otherwise build a file twice.
check-golden golden-rebase: $(GOLDEN_NEEDS)
.PHONY: check-needs
check-needs: all man $(GOLDEN_NEEDS) $(CHECK_NEEDS) vm-ready stress-ready
