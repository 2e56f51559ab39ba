# SPDX-License-Identifier: GPL-2.0-or-later
#
# The goal `deps` prints which Debian packages are missing or, if make runs as root, installs them.
# If nothing is missing, it is fast, so every rule that needs more than a compiler may depend on it.

# DEPS is a kind of packages, as scripts/deps.sh takes it (all, demo, build, page), or none (nothing
# is checked or installed).
DEPS ?= all

#help   deps          install the Debian packages that are missing (1); a newer QEMU for parallel
#help                 guests goes into the cache
.PHONY: deps
deps:
	$(if $(filter none,$(DEPS)),,$(Q)scripts/deps.sh $(DEPS))
	$(if $(filter all,$(DEPS)),$(Q)tests/vm/qemu.sh fetch)
