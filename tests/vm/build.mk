# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the demo kernel and the guest that runs it. The kernel is built in a cache outside the
# tree (kernel.sh prints where), so there is no file under $(O) whose time make could compare. The
# rules are phony, and kernel.sh returns at once if there is nothing to do.

WEFT_KERNEL_PLUGIN ?= 1
export WEFT_KERNEL_PLUGIN

vm-dir         := tests/vm
# The kernel's build needs the plugin, unless the kernel is built already or is to be built without
# the plugin.
find-kernel     = WEFT_KERNEL_PLUGIN=$(WEFT_KERNEL_PLUGIN) $(vm-dir)/kernel.sh path 2>/dev/null
kernel-built   := $(wildcard $(shell $(find-kernel))/weft-kernel-ok)
kernel-needs   := $(if $(kernel-built),,$(if $(filter-out 0,$(WEFT_KERNEL_PLUGIN)),$(PLUGIN)))

# For a quick look: installs and builds only what the demo needs. Packages are installed first, by a
# make of their own, because some rules depend on what is installed when make reads them.
make-ready      = $(Q)$(MAKE) --no-print-directory DEPS=demo deps && \
		  $(MAKE) --no-print-directory DEPS=demo -j$(shell nproc) $(1)

.PHONY: kernel kernel-path vm check-vm-harness

#help   kernel        build the demo kernel into the cache (once; about ten minutes on two cores)
kernel: deps $(kernel-needs)
	$(Q)$(vm-dir)/kernel.sh build

#help   kernel-path   print the demo kernel's folder
kernel-path:
	@$(vm-dir)/kernel.sh path

#help   vm            a shell in the guest, weft ready (2); with KERNEL=RELEASE that of a kernel
#help                 that is installed, or in the cache; /share there is $(O)/vm/share here
ifeq ($(origin KERNEL),command line)
vm: $(WEFT) $(O)/vm/programs/traffic $(O)/vm/programs/exit-port
	$(Q)tests/kernels/guest.sh $(KERNEL)
else
vm:
	$(call make-ready,demo-ready vm-shipped)
	$(Q)mkdir -p $(O)/vm/share
	$(Q)$(vm-dir)/vm.sh --shell --share $(O)/vm/share
endif

#help   check-vm-harness  test the VM harness itself
check-vm-harness: kernel
	$(Q)$(vm-dir)/selftest.sh
