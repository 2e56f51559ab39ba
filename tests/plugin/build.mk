# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the plugin's tests. Their reader of joinpoint tables shares no code with the weaver.

TABLE_DUMP  := $(O)/tests/plugin/table-dump
CHECK_NEEDS += $(TABLE_DUMP)

# Builds a plugin that believes to be for another compiler. Used as: sh -c '...' sh
# FOLDER-OF-VERSION-HEADER OUTPUT
PLUGIN_REBUILD = $(HOSTCXX) -isystem $$1 $(PLUGIN_FLAGS) -shared -o $$2 gcc-plugin/plugin.cc \
		 $(filter-out %/plugin.o,$(PLUGIN_OBJECTS)) -lz

#help   check-plugin  the plugin: accesses, labels, refusals, and that code is the same with it
#help   check-identity that objects of the demo kernel are the same with the plugin and
#help                 without it (2)
#help   bench-identity that code is the same with the plugin: all cases under all options
.PHONY: check-plugin check-plugin-accesses check-plugin-identity check-identity bench-identity
check-plugin: $(PLUGIN) $(TABLE_DUMP)
	$(Q)tests/check.sh check-plugin-accesses check-plugin-identity
check-plugin-accesses: export PLUGIN_REBUILD := $(PLUGIN_REBUILD)
check-plugin-accesses: $(PLUGIN) $(TABLE_DUMP)
	$(Q)CC='$(CC)' CXX='$(HOSTCXX)' tests/plugin/run.sh $(PLUGIN) $(TABLE_DUMP)
check-plugin-identity: $(PLUGIN)
	$(Q)CC='$(CC)' tests/plugin/identity.sh $(PLUGIN)
bench-identity: $(PLUGIN)
	$(Q)CC='$(CC)' WEFT_LONG=1 tests/plugin/identity.sh $(PLUGIN)
check-identity: $(PLUGIN)
	$(Q)CC='$(CC)' tests/plugin/identity.sh $(PLUGIN) \
		"$$($(MAKE) -s --no-print-directory kernel-path)"

$(TABLE_DUMP): tests/plugin/table-dump.c runtime/joinpoint-table.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -I. -o $@ $< -lelf -lz
