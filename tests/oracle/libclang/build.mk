# SPDX-License-Identifier: GPL-2.0-or-later
#
# The plugin's records against libclang. KERNEL is a configured and built kernel; the demo kernel if it is not given.

LIBCLANG_HOME   := /usr/lib/llvm-19
LIBCLANG_ORACLE := $(O)/tests/oracle/members

#help   check-oracle-libclang  the plugin's records against libclang's, KERNEL=FOLDER; BENCH=1 for all files, DETAILS=1 for a list
.PHONY: check-oracle-libclang
check-oracle-libclang: $(PLUGIN) $(TABLE_DUMP) $(LIBCLANG_ORACLE)
	$(Q)tests/oracle/libclang/run.sh "$${KERNEL:-$$(tests/vm/kernel.sh path)}" $(PLUGIN) $(TABLE_DUMP) $(LIBCLANG_ORACLE)

$(LIBCLANG_ORACLE): tests/oracle/libclang/members.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -I$(LIBCLANG_HOME)/include -o $@ $< -L$(LIBCLANG_HOME)/lib -lclang-19
