# SPDX-License-Identifier: GPL-2.0-or-later
#
# Selects the tests that `make check` runs: a quarter of the long ones, which the commit chooses, so
# that it takes ten minutes on two CPUs. `make check-all` runs all of them.

# The seed of random choices in tests is the commit, so that a test that passes on one machine
# passes on another. Other seeds are for bench-stress and long runs.
COMMIT_SEED := $(shell git rev-parse --short=8 HEAD 2>/dev/null | sed s/^/0x/)
QUARTER     ?= $(shell echo $$(($(or $(WEFT_SEED),$(COMMIT_SEED),0) % 4)))

# The quarters need about the same processor time. The longest suites of each come first: if a lane
# began a long suite at the end, all other lanes would wait for it.
quarter-0 := check-kernels-cached check-all-endless check-oracle-proven check-oracle-libclang
quarter-1 := check-recipe check-oracle-truth check-crash-dump check-oracle-branches \
	check-oracle-late
quarter-2 := check-vm-harness check-identity check-fuzz check-oracle-places
quarter-3 := check-native check-oracle-obj check-oracle-locked check-oracle-asked
LONG_SUITES := $(quarter-0) $(quarter-1) $(quarter-2) $(quarter-3)

not-now       := $(if $(filter all,$(QUARTER)),,$(filter-out $(quarter-$(QUARTER)),$(LONG_SUITES)))
# $(call in-quarter,SUITE...): those of the suites that this check runs.
in-quarter    = $(filter-out $(not-now),$(1))
# $(call every-fourth,NAME...): a quarter of the names. Names are dealt from left to right and back,
# so that the quarters of a list with the longest first need about the same time.
every-fourth  = $(if $(filter all,$(QUARTER)),$(1),$(shell printf '%s\n' $(1) | \
	awk '{ n = (NR - 1) % 8 } (n < 4 ? n : 7 - n) == $(QUARTER)'))
