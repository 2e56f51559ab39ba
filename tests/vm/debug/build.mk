# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests in guests with debug kernels (README.md in this folder). Each kernel has its own object
# folder, $(O)/debug or $(O)/races, in which this tree is built as usual: make is called once more
# with that folder, and with the kernel in an environment variable.

debug-dir     := $(vm-dir)/debug
in-flavour     = WEFT_KERNEL_FLAVOUR=$* $(MAKE) --no-print-directory O=$(O)/$*
# Such a guest is several times slower, and KASAN keeps freed memory for a while. KCSAN needs the
# option, since its default is lost in this kernel.
debug-guest   := WEFT_MEMORY=2G WEFT_CASE_SECONDS=3600 WEFT_APPEND=kcsan.early_enable=1

#help   kernel-debug  build the kernel with KASAN, KCOV and lockdep into the cache (once; twenty
#help                 minutes on two cores); kernel-races: that with KCSAN
.PHONY: kernel-debug kernel-races
kernel-debug kernel-races: kernel-%:
	$(Q)$(in-flavour) kernel

# The part of vm-ready that these cases need. Cases that need a splice of a certain kind at an
# instruction of the demo kernel (owners, nesting) are left out, because these kernels have other
# instructions.
debug-aspects := log_skb_destructor registers clobber once metrics_seven every_count \
	entry_sock_wfree entry_udp_sendmsg sock_state blocks blocks_undone arounds
.PHONY: debug-ready
debug-ready: kernel $(KMOD) $(KMOD_DEBUG) $(DB) $(vm-programs) \
	$(debug-aspects:%=$(O)/vm/aspects/%.ko) $(vm-shapes-aspects) $(SHAPES_OTHER) \
	$(SHAPES_SOURCE) $(O)/vm/programs/weave-random

# In a debug kernel this case alone takes minutes if other suites run at the same time.
debug-short := $(vm-dir)/cases/weave.sh
debug-cases := $(addprefix $(vm-dir)/cases/,weave.sh modules.sh modules_gated.sh \
	module_source.sh trust.sh churn.sh kill.sh smp.sh blocks.sh) \
	$(wildcard $(debug-dir)/*.sh) $(vm-dir)/long/stress.sh
.PHONY: debug-run-short debug-run
debug-run-short: debug-ready
	$(Q)$(debug-guest) $(vm-dir)/run-cases.sh $(debug-short)
debug-run: debug-ready $(vm-everything)
	$(Q)$(debug-guest) $(vm-dir)/run-cases.sh $(CASES)

#help   check-debug   weaving in the guest with KASAN, KCOV and lockdep, if bench-debug built that
#help                 kernel, and for it, here; else it says so, and counts as skipped (2)
#help   bench-debug   with both debug kernels, which it builds: weaving, stress, churn, kill, smp,
#help                 100,000 changed requests, leaks; an hour (2)
.PHONY: check-debug bench-debug bench-debug-debug bench-debug-races
debug-kernel = $(shell WEFT_KERNEL_FLAVOUR=debug $(vm-dir)/kernel.sh path)
check-debug:
	$(Q)if [ -e $(debug-kernel)/weft-kernel-ok ] && [ -e $(O)/debug/vmlinux.weft ]; then \
		WEFT_KERNEL_FLAVOUR=debug $(MAKE) --no-print-directory O=$(O)/debug \
			debug-run-short; \
	else \
		echo 'SKIP   no debug kernel here, or nothing made for it: make bench-debug'; \
		echo '0 passed, 0 failed, 1 skipped'; \
	fi
bench-debug: deps
	$(Q)tests/check.sh bench-debug-debug bench-debug-races
bench-debug-debug bench-debug-races: bench-debug-%:
	$(Q)$(in-flavour) CASES='$(debug-cases)' debug-run
