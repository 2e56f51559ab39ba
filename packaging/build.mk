# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is installed where, and the packages. What is for one architecture goes below lib, the rest
# below share.

# One version of all: the newest of the Debian changelog.
VERSION ?= $(shell sed -n '1s/^.*(\(.*\)).*/\1/p' debian/changelog)

INSTALLED  = $(DESTDIR)$(PREFIX)
SHARE      = $(INSTALLED)/share
# A compiler finds a plugin by its short name in a folder of its own; packages put it there.
PLUGIN_DIR ?= $(PREFIX)/lib/weft

.PHONY: install-program install-plugin install-kmod install-dkms install-unit deb

install-program: all man
	install -D -m 755 $(WEFT) $(INSTALLED)/bin/weft
	install -D -m 644 -t $(SHARE)/man/man1 $(O)/man/*.1
	install -D -m 644 weaver/completion.bash $(SHARE)/bash-completion/completions/weft
	install -D -m 644 -t $(SHARE)/weft/runtime $(wildcard runtime/*.h)
	install -D -m 644 -t $(SHARE)/weft weaver/aspect/language/aspect.rng
	install -D -m 644 -t $(SHARE)/weft/aspects $(wildcard aspects/*.xml)

install-plugin: plugin
	install -D -m 644 -t $(DESTDIR)$(PLUGIN_DIR) $(PLUGIN)

# weft.ko that `make kmod` has built, and what aspects for that kernel are compiled against.
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

# Aspects that somebody enables are woven at boot: packaging/weft@.service.
install-unit:
	install -D -m 644 -t $(DESTDIR)/lib/systemd/system packaging/weft@.service
	install -d $(DESTDIR)/etc/weft/aspects

# Packages of what is committed or lies in the tree, built in a copy of it. A version for each
# release of Debian, so that the next release's packages are newer.
deb:
	$(Q)packaging/deb.sh $(O)/deb $(VERSION)
