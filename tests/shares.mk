# SPDX-License-Identifier: GPL-2.0-or-later
#
# Selects the tests that `make check` runs: a sixth of the long ones, the share that the commit
# chooses, so that it takes ten minutes on two CPUs. `make check-all` runs all of them.

# The seed of random choices in tests is the commit, so that a test that passes on one machine
# passes on another. Other seeds are for bench-stress and long runs.
COMMIT_SEED := $(shell git rev-parse --short=8 HEAD 2>/dev/null | sed s/^/0x/)
SHARE       ?= $(shell echo $$(($(or $(WEFT_SEED),$(COMMIT_SEED),0) % 6)))

# The shares need about the same processor time. The longest suites of each come first: if a lane
# began a long suite at the end, all other lanes would wait for it.
share-0 := check-kernels-cached
share-1 := check-recipe check-oracle-branches check-oracle-late
share-2 := check-identity check-vm-harness check-oracle-places
share-3 := check-native check-oracle-locked check-oracle-asked
share-4 := check-oracle-truth check-oracle-obj check-crash-dump
share-5 := check-all-endless check-oracle-proven check-oracle-libclang check-fuzz
LONG_SUITES := $(foreach n,0 1 2 3 4 5,$(share-$(n)))

not-now     := $(if $(filter all,$(SHARE)),,$(filter-out $(share-$(SHARE)),$(LONG_SUITES)))
# $(call in-share,SUITE...): those of the suites that this check runs.
in-share     = $(filter-out $(not-now),$(1))
# $(call every-sixth,NAME...): a sixth of the names. Names are dealt from left to right and back, so
# that the shares of a list with the longest first need about the same time.
every-sixth  = $(if $(filter all,$(SHARE)),$(1),$(shell printf '%s\n' $(1) | \
	awk '{ n = (NR - 1) % 12 } (n < 6 ? n : 11 - n) == $(SHARE)'))
