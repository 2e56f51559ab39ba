# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of `weft points` on a small image: sample.c is compiled with the plugin, linked at a
# kernel's address and indexed. Each NAME.in is a command line and NAME.out what it prints.

POINTS_DIR    := tests/golden/points
POINTS_IMAGE  := $(O)/$(POINTS_DIR)/sample
GOLDEN_SUITES += check-golden-points
GOLDEN_REBASE += golden-rebase-points
GOLDEN_NEEDS  += $(POINTS_IMAGE).weft

.PHONY: check-golden-points golden-rebase-points
check-golden-points: $(POINTS_IMAGE).weft
	$(Q)WEFT_DB=$< tests/golden/run.sh test $(POINTS_DIR) $(WEFT) points
golden-rebase-points: $(POINTS_IMAGE).weft
	$(Q)WEFT_DB=$< tests/golden/run.sh rebase $(POINTS_DIR) $(WEFT) points

# The sample is compiled as the kernel is, without a red zone, with the kernel's code model and
# ftrace's calls; and with -ffreestanding, so that GCC does not optimize away calls that are tested.
$(POINTS_IMAGE).o: $(POINTS_DIR)/sample.c $(PLUGIN)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)cd $(POINTS_DIR) && $(CC) -std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie \
		-ffreestanding -pg -mfentry -fplugin=$(abspath $(PLUGIN)) \
		-c -o $(abspath $@) sample.c

$(POINTS_IMAGE): $(POINTS_IMAGE).o
	$(call say,LD,$@)
	$(Q)ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=0x77656674 -o $@ $<

$(POINTS_IMAGE).weft: $(POINTS_IMAGE) $(WEFT)
	$(call say,INDEX,$@)
	$(Q)$(WEFT) index $< -o $@ >/dev/null
