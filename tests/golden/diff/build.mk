# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of `weft diff`, which compares the sample of tests/golden/points with a changed
# edition of it: one line is inserted, and an access is replaced by another one. Each NAME.in is a
# pointcut, and NAME.out what weft prints.

DIFF_DIR     := tests/golden/diff
DIFF_IMAGE   := $(O)/$(DIFF_DIR)/new
DIFF_OLD     := $(O)/tests/golden/points/sample
GOLDEN_SUITES += check-golden-diff
GOLDEN_REBASE += golden-rebase-diff
GOLDEN_NEEDS  += $(DIFF_IMAGE).weft $(DIFF_OLD).weft

.PHONY: check-golden-diff golden-rebase-diff
check-golden-diff: $(DIFF_IMAGE).weft $(DIFF_OLD).weft
	$(Q)tests/golden/run.sh test $(DIFF_DIR) $(WEFT) diff $(DIFF_OLD).weft $<
golden-rebase-diff: $(DIFF_IMAGE).weft $(DIFF_OLD).weft
	$(Q)tests/golden/run.sh rebase $(DIFF_DIR) $(WEFT) diff $(DIFF_OLD).weft $<

# The changed file has the same name, in another folder, so that its accesses are in the same source
# file.
$(O)/$(DIFF_DIR)/sample.c: tests/golden/points/sample.c
	@mkdir -p $(@D)
	$(Q)sed -e 's/^	packet->cloned = 1;$$/	packet->users = 2;/' \
		-e 's/^	socket->common.count++;$$/\n&/' $< >$@

$(DIFF_IMAGE): $(O)/$(DIFF_DIR)/sample.c $(PLUGIN)
	$(call say,CC,$@)
	$(Q)cd $(@D) && $(CC) -std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie \
		-ffreestanding -pg -mfentry -fplugin=$(abspath $(PLUGIN)) -c -o new.o sample.c
	$(Q)ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=0x77656675 -o $@ $@.o

$(DIFF_IMAGE).weft: $(DIFF_IMAGE) $(WEFT)
	$(call say,INDEX,$@)
	$(Q)$(WEFT) index $< -o $@ >/dev/null
