# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests of the Debian packages, which are built, linted, installed, used, upgraded and
# removed in a chroot.

.PHONY: check-packages packages-chroots $(addprefix check-packages-,bookworm trixie)

#help   check-packages  the Debian packages of two releases, in chroots; skipped where those are
#help                   not in the cache
check-packages: check-packages-bookworm check-packages-trixie
check-packages-bookworm check-packages-trixie: check-packages-%:
	$(Q)tests/packages/packages.sh check $*

#help   check-signatures  signed and unsigned modules on a kernel that enforces signatures; skipped
#help                 where Debian 12's kernel is not in the cache (2)
.PHONY: check-signatures
check-signatures: all $(O)/vm/programs/exit-port
	$(Q)tests/packages/signatures.sh

#help   packages-chroots  make these chroots (root, network, 2.4 GB)
packages-chroots:
	$(Q)tests/packages/packages.sh chroots bookworm
	$(Q)tests/packages/packages.sh chroots trixie
CHECK_NEEDS += $(O)/vm/programs/exit-port
