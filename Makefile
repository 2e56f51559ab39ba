# SPDX-License-Identifier: GPL-2.0-or-later
#
# One make for everything; each folder adds its rules in build.mk. `make help` lists the goals.
# Objects go to $(O), never into the tree.

O        ?= $(CURDIR)/build
V        ?= 0
ASAN     ?= 0
PREFIX   ?= /usr/local
# Without $(or), an empty O would be the root folder.
override O := $(abspath $(or $(O),$(CURDIR)/build))
CC       := gcc
HOSTCXX  := g++
WEFT     := $(O)/weft

export O V ASAN
# In this locale tests sort in one order, and programs print the same messages, on every machine.
export LC_ALL := C

CSTD     := -std=gnu11
WARN     := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wvla \
	-Wno-unused-parameter
OPT      := -O2 -g
ifeq ($(ASAN),1)
OPT      := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
endif

ifeq ($(V),1)
Q        :=
say       = @:
else
Q        := @
say       = @printf '  %-7s %s\n' $(1) $(patsubst $(O)/%,%,$(2))
endif

#help Build:
#help   all           the plugin, the weaver and what aspects are compiled with
.PHONY: all
all: # filled by the folders' build.mk

include scripts/deps.mk
include gcc-plugin/build.mk
include weaver/build.mk
include kmod/build.mk
#help Test:
include tests/build.mk

#help   check         the tests below, of the long ones a sixth by the commit (tests/shares.mk);
#help                 ten minutes; ends with `N passed, N failed, N skipped` (1) (2)
#help   check-all     the same with all of the long ones (1) (2)
#help   check-host    what needs no guest
#help   check-vm      what runs in the guest (2)
#help   lint          the tree's own rules
LONG_HOST_SUITES := $(call in-share,check-native check-golden check-plugin)
HOST_SUITES := $(LONG_HOST_SUITES) $(call in-share,check-fuzz) lint check-unit check-cli \
	check-refuse check-shapes check-prepare check-objects check-monitor check-broken \
	check-oracle-program
# Suites that need the demo kernel or the VM harness, and the guest's own cases. The longest come
# first.
KERNEL_SUITES := $(call in-share,check-recipe check-oracle-obj check-identity check-oracle-truth \
	check-oracle-proven check-oracle-libclang check-oracle-branches check-oracle-late \
	check-oracle-sweep check-oracle-agree check-oracle-places check-oracle-plan \
	check-oracle-locked check-oracle-asked check-transcript check-templates)
VM_SUITES := $(call in-share,check-kernels-cached check-vm-harness) check-stress \
	$(vm-long-cases) $(vm-turns) $(KERNEL_SUITES) \
	$(call in-share,check-crash-dump check-all-endless) check-debug $(vm-own-cases)
# More lanes than CPUs, since a guest uses one CPU and often waits.
LANES := $(shell echo $$(($$(nproc) + 2)))
.PHONY: check check-all check-host check-vm lint demo check-transcript
check check-all check-host check-vm: export WEFT_SEED := $(or $(WEFT_SEED),$(COMMIT_SEED))
check check-all check-host check-vm: export WEFT_NEEDS := check
# Everything that suites need is built first: several suites at the same time must not build one
# file.
check: deps
	$(Q)$(MAKE) -j$(shell nproc) --no-print-directory check-needs
	$(Q)tests/check.sh -j $(LANES) $(LONG_HOST_SUITES) $(VM_SUITES) \
		$(filter-out $(LONG_HOST_SUITES),$(HOST_SUITES))
check-all:
	$(Q)$(MAKE) --no-print-directory SHARE=all check
check-host: deps all
	$(Q)tests/check.sh $(HOST_SUITES)
check-vm: deps
	$(Q)$(MAKE) -j$(shell nproc) --no-print-directory check-needs
	$(Q)tests/check.sh -j $(LANES) $(VM_SUITES)
lint:
	$(Q)tests/lint.sh
check-transcript: demo-ready
	$(Q)tests/vm/transcript.sh --check

#help Run:
#help   demo          the README's transcript for real: kernel, aspect, weave, records,
#help                 unweave (1) (2)
demo:
	$(call make-ready,demo-ready)
	$(Q)tests/vm/transcript.sh

#help Keep:
#help   install       to PREFIX (/usr/local), DESTDIR is honoured: the program, its man pages and
#help                 completion, what aspects are compiled with, the plugin; weft.ko, for its
#help                 kernel, where `make kmod` has built it
#help   install-dkms  weft.ko's source to /usr/src, for DKMS to build
#help   deb           the Debian packages, for this release ($(O)/deb)
#help   clean         remove the object folder; the kernel cache stays
.PHONY: install clean help
include packaging/build.mk
install: install-program install-plugin $(if $(wildcard $(KMOD)),install-kmod)
	$(if $(wildcard $(KMOD)),,\
		@echo 'weft.ko is not built and not installed: make kmod KERNEL=FOLDER')
clean:
	rm -rf $(O)

help:
	@echo 'usage: make [O=FOLDER] [V=1] [ASAN=1] TARGET'
	@sed -n 's/^#help //p' Makefile scripts/deps.mk gcc-plugin/build.mk weaver/build.mk \
		kmod/build.mk packaging/build.mk \
		tests/vm/build.mk tests/*/build.mk tests/*/*/build.mk | \
		awk '/^[A-Z]/ { print ""; print; next } !seen[$$0]++'
	@echo
	@echo '(1) installs missing Debian packages where it runs as root,' \
		'else names the command'
	@echo '(2) boots a guest in QEMU and loads modules there;' \
		'the host kernel is never touched'
