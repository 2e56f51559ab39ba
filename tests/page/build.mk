# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the test of the HTML page in Chromium, driven by playwright-core. It is not a part of
# `make check`: both programs are fetched for this test alone.

PAGE_TEST      := $(O)/tests/page

#help   check-page    the HTML page in headless Chromium, by hand (1); skipped where npm or
#help                 chromium is missing
.PHONY: check-page
check-page: $(PAGE_TEST)/make-page
	$(if $(filter none,$(DEPS)),,-$(Q)scripts/deps.sh page)
	$(Q)tests/page/run.sh $(PAGE_TEST) $(PAGE)

$(PAGE_TEST)/make-page.o: tests/page/make-page.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(PAGE_TEST)/make-page: $(PAGE_TEST)/make-page.o $(WEAVER_LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(WEAVER_LIBS)

-include $(PAGE_TEST)/make-page.d
