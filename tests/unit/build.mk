# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the unit tests with cmocka, which are in folders with the names of the rooms of weaver/
# (and kmod/). Every ROOM/test_NAME.c is a program; the C files beside this file are helpers that
# all programs are linked with. sample.S becomes a small image with its own joinpoint table, symbols
# and lines, whose path is SAMPLE in the programs.

UNIT_PROGRAMS := $(patsubst %.c,$(O)/%,$(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c))
UNIT_HELPERS  := $(patsubst %.c,$(O)/%.o,$(wildcard tests/unit/*.c))
UNIT_MODULE   := $(O)/tests/unit/some-module.ko
UNIT_FLAGS     = $(WEAVER_FLAGS) -Itests/unit -Ikmod -DSAMPLE='"$(UNIT_SAMPLE)"' \
	-DMODULE='"$(UNIT_MODULE)"'

#help   check-unit    the weaver's unit tests
.PHONY: check-unit unit-programs
check-unit: unit-programs
	$(Q)tests/unit/run.sh $(UNIT_PROGRAMS)

unit-programs: $(UNIT_PROGRAMS) $(UNIT_SAMPLE) $(UNIT_MODULE)
CHECK_NEEDS += unit-programs

$(O)/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(UNIT_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_PROGRAMS): %: %.o $(UNIT_HELPERS) $(WEAVER_LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(WEAVER_LIBS) -lcmocka $(UNIT_LIBS)

$(O)/tests/unit/trace/test_perfetto.o: $(PERFETTO_OBJECT)
$(O)/tests/unit/trace/test_perfetto.o: CPPFLAGS += -I$(O)/weaver/trace
# test_rules reads the schema with libxml2 itself.
$(O)/tests/unit/aspect/language/test_rules: UNIT_LIBS = -lxml2

$(O)/tests/unit/sample.o: tests/unit/sample.S runtime/joinpoint-table.h
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$(Q)$(CC) -I. -c -o $@ $<

# The sample is linked at a kernel's address, so that its addresses are negative as signed numbers.
$(UNIT_SAMPLE): $(O)/tests/unit/sample.o
	$(call say,LD,$@)
	$(Q)ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=0x0123456789abcdef -o $@ $<

# The code of the sample as an object with relocations, as a module has them.
$(UNIT_MODULE): $(O)/tests/unit/sample.o
	$(call say,LD,$@)
	$(Q)ld -r --build-id=0xfedcba9876543210 -o $@ $<

.PRECIOUS: $(O)/tests/unit/%.o
-include $(UNIT_PROGRAMS:=.d) $(UNIT_HELPERS:.o=.d)
