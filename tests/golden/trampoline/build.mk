# SPDX-License-Identifier: GPL-2.0-or-later
#
# Golden files of trampolines: the listings in docs/how-it-works.md are compared with the output of
# the emitter (runtime/trampoline.c), which weaver and weft.ko share.

LISTING       := $(O)/tests/golden/trampoline/listing
GOLDEN_SUITES += check-golden-trampoline
GOLDEN_REBASE += docs
GOLDEN_NEEDS  += $(LISTING)

#help   docs          what the documents show of the code, written anew; shows the difference
.PHONY: check-golden-trampoline docs
check-golden-trampoline: $(LISTING)
	$(Q)tests/golden/trampoline/run.sh test $(LISTING) docs/how-it-works.md
docs: $(LISTING)
	$(Q)tests/golden/trampoline/run.sh rebase $(LISTING) docs/how-it-works.md

$(LISTING): tests/golden/trampoline/listing.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(WEAVER_LIBS)
