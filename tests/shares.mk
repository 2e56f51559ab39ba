# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check` takes ten minutes on two CPUs. So it runs a quarter of the long tests: which quarter,
# says the commit. `make check-all` runs all of them.

# The seed of random choices in tests is the commit: so a test that passes here passes elsewhere.
# Other seeds are for bench-stress and long runs.
COMMIT_SEED := $(shell git rev-parse --short=8 HEAD 2>/dev/null | sed s/^/0x/)
SHARE       ?= $(shell echo $$(($(or $(WEFT_SEED),$(COMMIT_SEED),0) % 4)))

# The shares need about the same processor time. The longest suites of a share come first: if a lane
# began a long one at the end, everything would wait for it.
share-0 := check-kernels-cached check-all-endless check-oracle-proven check-oracle-libclang
share-1 := check-recipe check-oracle-truth check-crash-dump check-oracle-branches check-oracle-late
share-2 := check-vm-harness check-identity check-fuzz check-oracle-places
share-3 := check-native check-oracle-obj check-oracle-locked
SHARED_SUITES := $(share-0) $(share-1) $(share-2) $(share-3)

not-now       := $(if $(filter all,$(SHARE)),,$(filter-out $(share-$(SHARE)),$(SHARED_SUITES)))
# $(call in-share,SUITE...): those of the suites that the check runs this time
in-share       = $(filter-out $(not-now),$(1))
# $(call every-fourth,NAME...): a quarter of the names, for this share. The names are dealt as cards
# are, from left to right and back, so that in a list with the longest first the quarters need about
# the same time.
every-fourth   = $(if $(filter all,$(SHARE)),$(1),$(shell printf '%s\n' $(1) | \
	awk '{ n = (NR - 1) % 8 } (n < 4 ? n : 7 - n) == $(SHARE)'))
