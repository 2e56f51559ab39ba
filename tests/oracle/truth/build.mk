# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the judge of what the database has of accesses to members (tests/oracle/README.md). The
# judge shares no code with the plugin or the weaver; it reads the database and the kernel that they
# have made.

TRUTH       := $(O)/tests/oracle/truth
TRUTH_TOOLS := $(addprefix $(TRUTH)/,ast code machine)
CHECK_NEEDS += $(TRUTH_TOOLS)
$(TRUTH)/ast: $(addprefix tests/oracle/truth/,ast.c ast-place.c ast.h) \
		tests/oracle/libclang/libclang.h | deps
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -Itests/oracle/libclang -o $@ $(filter %.c,$^) \
		-l:libclang-19.so.1
$(TRUTH)/code: tests/oracle/truth/code.c | deps
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -o $@ $< -ldw
$(TRUTH)/machine: $(addprefix tests/oracle/truth/,machine.c source.c source.h) | deps
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -o $@ $(filter %.c,$^) -lcapstone -lelf -ldw

#help   check-oracle-truth  what the database says of accesses, judged by clang's syntax trees,
#help                 DWARF and the disassembly, of three files
#help   check-oracle-judge  broken databases, which the judge has to see; a minute
#help   bench-oracle  both, over all files of the demo kernel; half an hour the first time.
#help                 DETAILS=1 lists what differs, SAMPLE=N WEFT_SEED=N what to read by hand
#help   bench-oracle-sample  the same without floors over FILES=N files (200) drawn by WEFT_SEED=N
.PHONY: check-oracle-truth check-oracle-judge bench-oracle bench-oracle-sample
truth-args = "$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft $(TRUTH)
check-oracle-truth: $(TRUTH_TOOLS) $(O)/vmlinux.weft
	$(Q)tests/oracle/truth/run.sh $(truth-args) few
check-oracle-judge: $(TRUTH_TOOLS) $(O)/vmlinux.weft
	$(Q)tests/oracle/truth/self-test.sh $(truth-args)
bench-oracle: check-oracle-judge
	$(Q)tests/oracle/truth/run.sh $(truth-args) all
bench-oracle-sample: $(TRUTH_TOOLS) $(O)/vmlinux.weft
	$(Q)tests/oracle/truth/run.sh $(truth-args) sample
