# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the comparison of the accesses that the plugin notes with libclang. KERNEL is the folder
# of a configured and built kernel, by default the demo kernel.

LIBCLANG_ORACLE := $(O)/tests/oracle/members
CHECK_NEEDS     += $(LIBCLANG_ORACLE)

#help   check-oracle-libclang  the plugin's accesses against libclang's, KERNEL=FOLDER; BENCH=1 for
#help                 more files, DETAILS=1 for a list
#help   bench-oracle-labels  the same with more files
#help   bench-compile  what the plugin costs the compilation of kernel files (4 minutes)
.PHONY: check-oracle-libclang bench-oracle-labels bench-compile
bench-oracle-labels: export BENCH := 1
bench-oracle-labels: check-oracle-libclang
bench-compile: $(PLUGIN)
	$(Q)tests/bench/compile.sh "$${KERNEL:-$$(tests/vm/kernel.sh path)}" $(PLUGIN)
check-oracle-libclang: $(PLUGIN) $(TABLE_DUMP) $(LIBCLANG_ORACLE) $(O)/vmlinux.weft
	$(Q)tests/oracle/libclang/run.sh "$${KERNEL:-$$(tests/vm/kernel.sh path)}" $(PLUGIN) \
		$(TABLE_DUMP) $(LIBCLANG_ORACLE) $(O)/vmlinux.weft

$(LIBCLANG_ORACLE): tests/oracle/libclang/members.c tests/oracle/libclang/libclang.h | deps
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -o $@ $< -l:libclang-19.so.1
