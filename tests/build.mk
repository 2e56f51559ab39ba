# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tests: each folder that needs something built has a build.mk. Every test program or script
# prints its lines and at the end one line `N passed, N failed, N skipped`.

# The image that tests of other folders look at, too: rules name it before unit/build.mk is read.
UNIT_SAMPLE := $(O)/tests/unit/sample

include $(wildcard tests/*/build.mk tests/*/*/build.mk)

# What the suites need, as their folders have named it. So that make knows all of it also where a
# suite runs another make: several suites in one make -j build nothing twice.
check-golden golden-rebase: $(GOLDEN_NEEDS)
.PHONY: check-needs
check-needs: all man $(GOLDEN_NEEDS) $(CHECK_NEEDS) vm-ready stress-ready
