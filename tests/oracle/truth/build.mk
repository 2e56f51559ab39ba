# SPDX-License-Identifier: GPL-2.0-or-later
#
# The judge of what the database says of accesses to members, see tests/oracle/README.md. It has no
# code of the plugin's or the weaver's, and reads what they made: the database and the kernel.

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

#help   check-oracle-truth  what the database says of accesses, judged by clang's syntax trees, DWARF
#help                 and the disassembly: three files, and the judge judged
#help   bench-oracle  the same over all files of the demo kernel; half an hour the first time.
#help                 DETAILS=1 lists what differs, WEFT_SEED=N samples for reading
.PHONY: check-oracle-truth bench-oracle
check-oracle-truth bench-oracle: truth = tests/oracle/truth/$(1).sh \
	"$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft $(TRUTH)
check-oracle-truth: $(TRUTH_TOOLS) $(O)/vmlinux.weft
	$(Q)$(call truth,run) few
	$(Q)$(call truth,self-test)
bench-oracle: $(TRUTH_TOOLS) $(O)/vmlinux.weft
	$(Q)$(call truth,run) all
