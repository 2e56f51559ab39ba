# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installation and packages. Files for one architecture go below lib, all others below share.

# The version of everything: that of the newest entry in the Debian changelog.
VERSION ?= $(shell sed -n '1s/^.*(\(.*\)).*/\1/p' debian/changelog)

INSTALLED  = $(DESTDIR)$(PREFIX)
DATADIR    = $(INSTALLED)/share
# A compiler finds a plugin by its short name only in the compiler's own folder of plugins; packages
# install it there.
PLUGIN_DIR ?= $(PREFIX)/lib/weft

.PHONY: install-program install-plugin install-kmod install-dkms install-unit deb

install-program: all man
	install -D -m 755 $(WEFT) $(INSTALLED)/bin/weft
	install -D -m 644 -t $(DATADIR)/man/man1 $(O)/man/*.1
	install -D -m 644 weaver/completion.bash $(DATADIR)/bash-completion/completions/weft
	install -D -m 644 -t $(DATADIR)/weft/runtime $(wildcard runtime/*.h)
	install -D -m 644 -t $(DATADIR)/weft weaver/aspect/language/aspect.rng
	install -D -m 644 -t $(DATADIR)/weft/aspects $(wildcard aspects/*.xml)
	install -D -m 644 -t $(DATADIR)/weft/aspects/ktrace $(wildcard aspects/ktrace/*.xml)

install-plugin: plugin
	install -D -m 644 -t $(DESTDIR)$(PLUGIN_DIR) $(PLUGIN)

# Installs weft.ko as `make kmod` has built it, and the file that aspects for that kernel need to be
# compiled.
kmod-release = $(shell sed -n 's/^\#define UTS_RELEASE "\(.*\)"$$/\1/p' \
	$$(cat $(KERNEL_STAMP))/include/generated/utsrelease.h)
install-kmod:
	install -D -m 644 -t $(DESTDIR)/lib/modules/$(kmod-release)/updates $(KMOD)
	install -D -m 644 -t $(INSTALLED)/lib/weft/kmod/$(kmod-release) $(O)/kmod/Module.symvers
	$(if $(DESTDIR),,depmod $(kmod-release))

DKMS_SOURCE = $(DESTDIR)/usr/src/weft-$(VERSION)
install-dkms:
	rm -rf $(O)/dkms
	scripts/link-kmod.sh $(O)/dkms
	mkdir -p $(DKMS_SOURCE)
	cp -rL --no-preserve=ownership -t $(DKMS_SOURCE) $(O)/dkms/.
	install -m 755 -t $(DKMS_SOURCE) kmod/keep-symvers.sh
	sed 's/#MODULE_VERSION#/$(VERSION)/g' kmod/dkms.conf >$(DKMS_SOURCE)/dkms.conf

# Aspects that the administrator enables are woven at boot: packaging/weft@.service.
install-unit:
	install -D -m 644 -t $(INSTALLED)/lib/systemd/system packaging/weft@.service
	install -d $(DESTDIR)/etc/weft/aspects

# Builds packages of all files in the tree, committed or not, in a copy of the tree. Each release of
# Debian has a version of its own, so that the next release's packages count as newer.
deb: $(PLOTS)
	$(Q)WEFT_PLOTS=$(abspath $(PLOTS)) packaging/deb.sh $(O)/deb $(VERSION)
