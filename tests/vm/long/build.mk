# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that load the guest for a long time: 20 s in make check, ten minutes in make bench-long.

# CPUs that run at the same time, as threads of the host, interfere more than CPUs that take turns.
# The load takes a fixed time anyway, so make check runs it with parallel CPUs. Other cases run with
# parallel CPUs in bench-parallel only, because that takes twice the processor time.
long-accel := $(if $(shell $(vm-dir)/qemu.sh parallel 2>/dev/null),parallel,auto)
vm-parallel-cases := $(vm-dir)/long/stress.sh \
	$(addprefix $(vm-dir)/cases/,churn.sh kill.sh smp.sh owners.sh rounds.sh)

# The 2,000 functions are in nine aspects, since an aspect may not have more than a megabyte of
# pointcuts. WEFT_SEED selects the functions.
vm-everything := $(foreach n,0 1 2 3 4 5 6 7 8,$(O)/vm/everything/everything$(n).ko)

$(O)/vm/programs/weave-random $(O)/vm/programs/everything: \
		$(O)/vm/programs/%: $(vm-dir)/programs/%.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -o $@ $< $(WEAVER_LIB) $(WEAVER_LIBS)

$(O)/vm/everything/seed:
	@mkdir -p $(@D)
	$(Q)echo "$${WEFT_SEED:-$$(date +%s)}" >$@

$(O)/vm/everything/%.xml: $(O)/vm/programs/everything $(O)/vm/everything/seed | kernel
	$(Q)$(O)/vm/programs/everything "$$($(vm-dir)/kernel.sh path)/vmlinux" \
		"$$(cat $(@D)/seed)" 2000 9 $(subst everything,,$*) >$@ 2>$@.said || \
		{ cat $@.said; exit 1; }
$(vm-everything) &: $(vm-everything:.ko=.xml) $(vm-module-needs)
	$(call say,ASPECTS,$(@D))
	$(Q)$(vm-compile) --at-most 1000000 $(filter %.xml,$^) -o $(@D) >/dev/null
.PRECIOUS: $(O)/vm/everything/%.xml

#help   check-stress  every instruction of 2,000 random functions woven and unwoven at random under
#help                 load, 20 s (2)
#help   bench-stress  the same for ten minutes (2)
#help   bench-parallel  cases of weaving beside other CPUs, each CPU a thread: with 2 and with 4 (2)
.PHONY: check-stress bench-stress bench-parallel bench-parallel-2 bench-parallel-4 stress-ready
check-stress bench-stress: export WEFT_ACCEL ?= $(long-accel)
stress-ready: vm-ready $(vm-everything) $(O)/vm/programs/weave-random
check-stress: stress-ready
	$(Q)$(vm-dir)/run-cases.sh $(vm-dir)/long/stress.sh
bench-stress: stress-ready
	$(Q)WEFT_STRESS_SECONDS=600 $(vm-dir)/run-cases.sh $(vm-dir)/long/stress.sh
bench-parallel: stress-ready
	$(Q)tests/check.sh bench-parallel-2 bench-parallel-4
bench-parallel-2 bench-parallel-4: bench-parallel-%: stress-ready
	$(Q)WEFT_ACCEL=parallel WEFT_CPUS=$* WEFT_ROUNDS=200 \
		$(vm-dir)/run-cases.sh $(vm-parallel-cases)
