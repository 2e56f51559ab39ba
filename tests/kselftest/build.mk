# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel's own selftests, on a kernel that has what they ask for (kernel-selftests.config). That
# kernel, its weft.ko, its database and aspects are made by the rules of all others, in an object
# folder of their own.

$(O)/vm/aspects/%.ko: tests/kselftest/%.xml $(WEFT) $(KMOD) $(O)/vmlinux.weft
	@mkdir -p $(@D)
	$(call say,ASPECT,$@)
	$(Q)$(WEFT) compile $< --at-most 1000000 --kernel $$($(vm-dir)/kernel.sh path) --db $(DB) \
		-o $@

#help   bench-selftests  the kernel's own selftests with all of the kernel woven, beside nothing
#help                 woven; builds a kernel of its own; SUITES=... for some (2)
SUITES ?=
.PHONY: bench-selftests run-selftests
bench-selftests: deps
	$(Q)WEFT_KERNEL_FLAVOUR=selftests $(MAKE) --no-print-directory O=$(O)/selftests \
		run-selftests
run-selftests: all kernel $(KMOD_DEBUG) $(O)/vm/aspects/everywhere.ko
	$(Q)tests/kselftest/run-selftests.sh $(SUITES)
