# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the checks of the demo kernel's database against objdump, readelf and other tools.

#help   check-oracle  the joinpoint database and the points of functions against objdump, readelf
#help                 and addr2line
.PHONY: check-oracle
check-oracle: $(WEFT) kernel
	$(Q)tests/oracle/database.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux"
	$(Q)tests/oracle/points.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux"

#help   check-oracle-program  what a database says of programs against objdump, readelf and
#help                 addr2line
.PHONY: check-oracle-program
check-oracle-program: $(WEFT) $(PLUGIN)
	$(Q)tests/oracle/program.sh $(abspath $(WEFT)) $(abspath $(PLUGIN)) \
		tests/vm/processes/shop.c

# A kernel module that is compiled with the plugin.
ORACLE_MODULE := $(O)/tests/oracle/module/many.ko
$(ORACLE_MODULE): $(wildcard tests/oracle/module/*) $(PLUGIN) | kernel
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(Q)ln -sf $(addprefix $(CURDIR)/,$(wildcard tests/oracle/module/*)) $(@D)/
	$(Q)$(KBUILD_ENV) make -C "$$(tests/vm/kernel.sh path)" M=$(abspath $(@D)) \
		KCFLAGS=-fplugin=$(abspath $(PLUGIN)) $(if $(filter 1,$(V)),V=1,-s) modules
	$(Q)touch $@

#help   check-oracle-module  what a database says of modules against objdump, readelf and addr2line
.PHONY: check-oracle-module
CHECK_NEEDS += $(ORACLE_MODULE)
check-oracle-module: $(WEFT) $(ORACLE_MODULE)
	$(Q)k=$$(tests/vm/kernel.sh path) && tests/oracle/module.sh $(WEFT) "$$k/vmlinux" \
		$(ORACLE_MODULE) "$$k/drivers/misc/lkdtm/lkdtm.ko" "$$k/drivers/net/dummy.ko"

DECODE_ORACLE := $(O)/tests/oracle/decode
RELOCATE_ORACLE := $(O)/tests/oracle/relocate
$(DECODE_ORACLE): tests/oracle/decode.c tests/oracle/listing.c $(WEAVER_LIB)
$(RELOCATE_ORACLE): tests/oracle/relocate.c tests/oracle/listing.c runtime/trampoline.c \
		runtime/encode.c $(WEAVER_LIB)
$(DECODE_ORACLE) $(RELOCATE_ORACLE):
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -Itests/oracle $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(WEAVER_LIBS)

#help   check-oracle-decode  lengths and targets of every instruction of the demo kernel against
#help                 objdump
.PHONY: check-oracle-decode
check-oracle-decode: $(DECODE_ORACLE) kernel
	$(Q)objdump -d --insn-width=15 "$$(tests/vm/kernel.sh path)/vmlinux" | $(DECODE_ORACLE)

PLAN_DUMP      := $(O)/tests/oracle/plan-dump
PLAN_ORACLE := $(O)/tests/oracle/check-plan
$(PLAN_DUMP): tests/oracle/plan-dump.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(WEAVER_LIBS)
# check-plan is compiled without any code of the weaver.
$(PLAN_ORACLE): tests/oracle/check-plan.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -D_GNU_SOURCE -o $@ $<

#help   check-oracle-plan  the splices that the weaver plans for a part of the demo kernel against
#help                 objdump and the kernel's own tables
#help   bench-oracle-plan  the same for all of it, each instruction alone and all together; a minute
.PHONY: check-oracle-plan bench-oracle-plan
check-oracle-plan: $(PLAN_DUMP) $(PLAN_ORACLE) $(O)/vmlinux.weft
	$(Q)tests/oracle/plan.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux" $(O) part
bench-oracle-plan: $(PLAN_DUMP) $(PLAN_ORACLE) $(O)/vmlinux.weft
	$(Q)tests/oracle/plan.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux" $(O) all

#help   check-oracle-proven  the demo kernel's objects proven against its vmlinux: the same shadows
#help                 as by its own labels
.PHONY: check-oracle-proven
check-oracle-proven: $(WEFT) $(O)/vmlinux.weft
	$(Q)tests/oracle/proven.sh $(WEFT) "$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft

#help   check-oracle-late  the lines of aspects' instructions against addr2line, and the kernel
#help                 functions that a fault may be left in against objdump
.PHONY: check-oracle-late
check-oracle-late: $(WEFT) $(KMOD) $(O)/vmlinux.weft
	$(Q)tests/oracle/late-tables.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux" $(O) \
		tests/vm/aspects/fault_any.xml tests/vm/aspects/pointers.xml \
		tests/vm/aspects/metrics.xml aspects/log_skb_destructor.xml

#help   check-oracle-places  where random code, blocks and calls come from, against addr2line -i
.PHONY: check-oracle-places
check-oracle-places: $(WEFT) $(O)/vmlinux.weft
	$(Q)tests/oracle/places.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux" $(O)/vmlinux.weft

#help   check-oracle-locked  the locked instructions of some files: each is at a member, or has its
#help                 reason in locked.txt
.PHONY: check-oracle-locked
check-oracle-locked: $(O)/vmlinux.weft
	$(Q)tests/oracle/locked.sh "$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft

#help   check-oracle-asked  twelve pointcuts that kernel developers ask for: complete against grep
#help                 and the disassembly of some files
.PHONY: check-oracle-asked
check-oracle-asked: $(O)/vmlinux.weft
	$(Q)tests/oracle/asked.sh "$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft

#help   check-oracle-obj  the object of thousands of shadows against objdump and pahole
.PHONY: check-oracle-obj
check-oracle-obj: $(WEFT) $(O)/vmlinux.weft
	$(Q)tests/oracle/objects.sh $(WEFT) "$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft

#help   check-oracle-branches  where weft.ko and the tests' aspects branch through a pointer, by
#help                 objdump; run.sh of tests/kernels does the same for shipped kernels
.PHONY: check-oracle-branches
check-oracle-branches: vm-ready
	$(Q)tests/oracle/branches.sh $(KMOD) $(KMOD_DEBUG) $(O)/vm/aspects/*.ko

#help   check-oracle-relocate  every instruction of the demo kernel moved as a trampoline does
#help                 it, decoded again
.PHONY: check-oracle-relocate
check-oracle-relocate: $(RELOCATE_ORACLE) kernel
	$(Q)tests/oracle/relocate.sh $(RELOCATE_ORACLE) "$$(tests/vm/kernel.sh path)/vmlinux"

# Runs kmod/text/insn.c in a process, with the kernel's decoder from the demo kernel's source.
AGREE         := $(O)/tests/oracle/agree
KERNEL_INSN   := $(addprefix $(O)/tests/oracle/,kernel-insn.o insn.o inat.o)
kernel-flags   = $(CSTD) -O2 -g -w -I. -Ikmod -I$(1)/tools/arch/x86/include -I$(1)/tools/include \
	-I$(1)/arch/x86/lib
$(O)/tests/oracle/kernel-insn.o: tests/oracle/kernel-insn.c $(wildcard runtime/*.h) \
		$(addprefix kmod/text/,insn.c insn.h insn-table.c insn-table.h) | kernel
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(call kernel-flags,$$(tests/vm/kernel.sh path)) -c -o $@ $<
$(O)/tests/oracle/insn.o $(O)/tests/oracle/inat.o: $(O)/tests/oracle/%.o: | kernel
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)k=$$(tests/vm/kernel.sh path) && \
		$(CC) $(call kernel-flags,$$k) -c -o $@ $$k/tools/arch/x86/lib/$*.c
$(AGREE): tests/oracle/agree.c $(KERNEL_INSN) $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(WEAVER_LIBS)

#help   check-oracle-agree  may it move: weft.ko and the weaver, each instruction of the kernel
.PHONY: check-oracle-agree
check-oracle-agree: $(AGREE) $(O)/vmlinux.weft
	$(Q)$(AGREE) $(O)/vmlinux.weft

# Runs the kernel's decoder on instructions of all opcode maps; child processes execute these
# instructions.
SWEEP         := $(O)/tests/oracle/x86-sweep
SWEEP_SRCS    := $(wildcard tests/oracle/x86-*.c) tests/oracle/listing.c
$(SWEEP): $(SWEEP_SRCS) $(wildcard tests/oracle/x86-*.h) $(KERNEL_INSN) $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -Itests/oracle -fno-stack-protector $(CPPFLAGS) $(CFLAGS) -o $@ \
		$(SWEEP_SRCS) $(KERNEL_INSN) $(WEAVER_LIB) $(WEAVER_LIBS)

#help   check-oracle-sweep  the same over all opcode maps and prefixes; objdump, the processor
#help   bench-oracle-sweep  with every ModRM byte; ten minutes
CHECK_NEEDS += $(PLAN_DUMP) $(PLAN_ORACLE) $(AGREE) $(SWEEP)
.PHONY: check-oracle-sweep bench-oracle-sweep
check-oracle-sweep: $(SWEEP)
	$(Q)$(SWEEP) $(O)/tests/oracle
bench-oracle-sweep: $(SWEEP)
	$(Q)$(SWEEP) $(O)/tests/oracle all
