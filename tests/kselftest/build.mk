# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the kernel's own selftests, on a kernel that is configured for them
# (kernel-selftests.config). That kernel, its weft.ko, database and aspects are made by the usual
# rules, in a separate object folder (tests/vm/cases/build.mk).

$(O)/vm/aspects/everywhere.ko: vm-options := --at-most 1000000

#help   bench-selftests  the kernel's own selftests with all of the kernel woven, beside nothing
#help                 woven; builds a kernel of its own; SUITES=... for some (2)
SUITES ?=
.PHONY: bench-selftests run-selftests
bench-selftests: deps
	$(Q)WEFT_KERNEL_FLAVOUR=selftests $(MAKE) --no-print-directory O=$(O)/selftests \
		run-selftests
run-selftests: all kernel $(KMOD_DEBUG) $(O)/vm/aspects/everywhere.ko
	$(Q)tests/kselftest/run-selftests.sh $(SUITES)
