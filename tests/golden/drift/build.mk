# SPDX-License-Identifier: GPL-2.0-or-later
#
# `weft drift` between the sample of tests/golden/points and an edition of it with a line more, an access less and another one
# instead; each NAME.in is a pointcut and NAME.out all that is printed.

DRIFT_DIR     := tests/golden/drift
DRIFT_IMAGE   := $(O)/$(DRIFT_DIR)/new
DRIFT_OLD     := $(O)/tests/golden/points/sample
GOLDEN_SUITES += check-golden-drift
GOLDEN_REBASE += golden-rebase-drift

.PHONY: check-golden-drift golden-rebase-drift
check-golden-drift: $(DRIFT_IMAGE).weft $(DRIFT_OLD).weft
	$(Q)tests/golden/run.sh test $(DRIFT_DIR) $(WEFT) drift $(DRIFT_OLD).weft $<
golden-rebase-drift: $(DRIFT_IMAGE).weft $(DRIFT_OLD).weft
	$(Q)tests/golden/run.sh rebase $(DRIFT_DIR) $(WEFT) drift $(DRIFT_OLD).weft $<

# Under the same name in a folder of its own, so that the file is the same one.
$(O)/$(DRIFT_DIR)/sample.c: tests/golden/points/sample.c
	@mkdir -p $(@D)
	$(Q)sed -e 's/^	packet->cloned = 1;$$/	packet->users = 2;/' -e 's/^	socket->common.count++;$$/\n&/' $< >$@

$(DRIFT_IMAGE): $(O)/$(DRIFT_DIR)/sample.c $(PLUGIN)
	$(call say,CC,$@)
	$(Q)cd $(@D) && $(CC) -std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie -ffreestanding \
		-pg -mfentry -fplugin=$(abspath $(PLUGIN)) -c -o new.o sample.c
	$(Q)ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=0x77656675 -o $@ $@.o

$(DRIFT_IMAGE).weft: $(DRIFT_IMAGE) $(WEFT)
	$(call say,INDEX,$@)
	$(Q)$(WEFT) index $< -o $@ >/dev/null
