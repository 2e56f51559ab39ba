# SPDX-License-Identifier: GPL-2.0-or-later
#
# The runtime's machine code, run for real in a process. Linked at a low address: see test_patch.c.

NATIVE_PROGRAMS := $(patsubst %.c,$(O)/%,$(wildcard tests/native/test_*.c))

#help   check-native  patches run natively
.PHONY: check-native
check-native: $(NATIVE_PROGRAMS)
	$(Q)tests/unit/run.sh $(NATIVE_PROGRAMS)

$(O)/tests/native/%: tests/native/%.c $(RUNTIME_SRCS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -D_GNU_SOURCE -I. -fno-pie -no-pie -o $@ $< runtime/patch.c runtime/encode.c -lcmocka
