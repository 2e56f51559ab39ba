# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian packages: named when missing, installed when make runs as root. Quick when nothing is
# missing, so whatever needs more than a compiler may depend on it.

# demo: without those that only tests and benchmarks need. none: somebody else installs them.
DEPS ?= all

#help   deps          install the Debian packages that are missing (1); a newer QEMU for parallel
#help                 guests goes into the cache
.PHONY: deps
deps:
	$(if $(filter none,$(DEPS)),,$(Q)scripts/deps.sh $(DEPS))
	$(if $(filter all,$(DEPS)),$(Q)tests/vm/qemu.sh fetch)
