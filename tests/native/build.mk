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

# Liveness is the weaver's. Its samples are compiled as a kernel is.
$(O)/tests/native/samples.o: tests/native/samples.c tests/native/samples.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -fno-pie -mgeneral-regs-only -mskip-rax-setup -fno-jump-tables -fno-ipa-ra -fcf-protection=none -c -o $@ $<
$(O)/tests/native/test_liveness: tests/native/test_liveness.c $(O)/tests/native/samples.o $(WEAVER_LIB)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -fno-pie -no-pie -o $@ $^ $(WEAVER_LIBS) -lcmocka
