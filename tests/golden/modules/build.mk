# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of queries in a database with modules: the sample of tests/golden/points is the
# kernel, and there are two modules, one of which calls the other. Each NAME.in is a command of
# weft, and NAME.out what it prints. $WEFT_DB is the database, $NEWER the database of a newer
# edition of kernel and modules, and $ALONE that of the newer edition with only one of the two
# modules.

MODULES_DIR   := tests/golden/modules
MODULES_OLD   := $(O)/$(MODULES_DIR)/old
MODULES_NEW   := $(O)/$(MODULES_DIR)/new
MODULES_KOS   := $(MODULES_OLD)/carrier.ko $(MODULES_OLD)/ware-house.ko
GOLDEN_SUITES += check-golden-modules
GOLDEN_REBASE += golden-rebase-modules
modules-bases := $(MODULES_OLD)/sample.weft $(MODULES_NEW)/sample.weft $(MODULES_NEW)/alone.weft
GOLDEN_NEEDS  += $(modules-bases)
modules-golden = WEFT_DB=$(MODULES_OLD)/sample.weft NEWER=$(MODULES_NEW)/sample.weft \
	ALONE=$(MODULES_NEW)/alone.weft tests/golden/run.sh $(1) $(MODULES_DIR) $(WEFT)

.PHONY: check-golden-modules golden-rebase-modules
check-golden-modules: $(modules-bases)
	$(Q)$(call modules-golden,test)
golden-rebase-modules: $(modules-bases)
	$(Q)$(call modules-golden,rebase)

# In the newer edition ware-house.c has one more line and stores another weight; carrier.c is
# unchanged.
$(MODULES_OLD)/%.c: $(MODULES_DIR)/%.c
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(MODULES_NEW)/%.c: $(MODULES_DIR)/%.c
	@mkdir -p $(@D)
	$(Q)sed -e 's/^	parcel->weight = 0;$$/\n	parcel->weight += 3;/' $< >$@

# The header is copied beside the sources, so that its path in the debug information is always the
# same.
$(MODULES_OLD)/parcel.h $(MODULES_NEW)/parcel.h: $(MODULES_DIR)/parcel.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

# The modules are compiled with the options of a kernel's modules.
define modules-rule
$(1)/%.ko: $(1)/%.c $(1)/parcel.h $(PLUGIN)
	$$(call say,CC,$$@)
	$$(Q)cd $$(@D) && $$(CC) -std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie \
		-ffreestanding -pg -mfentry -fplugin=$$(abspath $$(PLUGIN)) \
		-c -o $$*.o $$*.c
	$$(Q)ld -r --build-id -o $$@ $(1)/$$*.o

$(1)/sample.weft: $(2) $(1)/carrier.ko $(1)/ware-house.ko $(WEFT)
	$$(call say,INDEX,$$@)
	$$(Q)$(WEFT) index $$(filter-out $(WEFT),$$^) -o $$@ >/dev/null
endef
$(eval $(call modules-rule,$(MODULES_OLD),$(O)/tests/golden/points/sample))
$(eval $(call modules-rule,$(MODULES_NEW),$(O)/tests/golden/diff/new))
$(MODULES_NEW)/alone.weft: $(O)/tests/golden/diff/new $(MODULES_NEW)/ware-house.ko $(WEFT)
	$(call say,INDEX,$@)
	$(Q)$(WEFT) index $(filter-out $(WEFT),$^) -o $@ >/dev/null

.PRECIOUS: $(MODULES_OLD)/%.c $(MODULES_NEW)/%.c $(MODULES_OLD)/%.ko $(MODULES_NEW)/%.ko
