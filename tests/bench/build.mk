# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the benchmarks. A benchmark measures the cost of an operation, and prints its goal
# beside the figure. Figures that depend on the machine are measured on one core.

#help   bench         what indexing, asking and a hit cost, beside their goals and the kernel's own
#help                 probes; half an hour (1) (2)
#help   bench-long    tests that run for hours: weaving under load, the selftests of the kernel,
#help                 debug kernels, Debian's kernels and packages (1) (2)
#help   bench-kernel  what the plugin does to a whole kernel: code, time, size; builds two (twenty
#help                 minutes, 10 GB)
RIVALS := $(O)/bench/rivals/rivals.ko
BENCH_ASPECTS := $(patsubst tests/vm/aspects/%.xml,$(O)/vm/aspects/%.ko,\
	$(wildcard tests/vm/aspects/bench_*.xml))
#help   bench-scale   what a shipped kernel with all its modules costs to index and ask: fetches
#help                 Debian's (0.9 GB, 6 GB of disk)
#help   bench-mitigations  weaving on processors whose returns and indirect calls differ; three
#help                 minutes
#help   bench-oneliners  from the return key to woven, cold and cached, in the guest; five minutes
.PHONY: bench bench-long bench-oneliners bench-mitigations bench-scale bench-database \
	bench-aspects bench-plan bench-native bench-records bench-ktrace bench-hit bench-weave \
	bench-kernel
# `make bench` and `make bench-long` run their targets one after the other. All targets run, even if
# one misses a goal; the last line is the sum. bench measures the figures of docs/performance.md.
# bench-long measures nothing: it has tests that need time, of which make check-all runs a short
# form.
bench: deps
	$(Q)tests/check.sh bench-native bench-database bench-scale bench-aspects bench-plan \
		bench-oracle-plan bench-records bench-ktrace bench-hit bench-weave \
		bench-oneliners bench-oracle
bench-long: deps
	$(Q)tests/check.sh bench-oracle-sweep bench-woven bench-recipe bench-identity \
		bench-kprobes bench-stress bench-modules bench-faults bench-parallel-2 \
		bench-parallel-4 bench-mitigations bench-selftests bench-debug check-packages \
		check-signatures check-kernels
bench-plan: all $(O)/vmlinux.weft $(O)/vm/programs/measure
	$(Q)tests/bench/plan.sh $(WEFT) $(O)/vm/programs/measure $(O)/vmlinux.weft
bench-database: all kernel $(O)/vm/programs/measure
	$(Q)tests/bench/database.sh $(WEFT) $(O)/vm/programs/measure "$$(tests/vm/kernel.sh path)"
bench-scale: all $(O)/vm/programs/measure
	$(Q)tests/bench/scale.sh $(WEFT) $(O)/vm/programs/measure
bench-aspects: all $(KMOD) $(O)/vmlinux.weft $(O)/vm/programs/measure
	$(Q)tests/bench/aspects.sh $(WEFT) $(O)/vm/programs/measure \
		"$$(tests/vm/kernel.sh path)" $(O)/vmlinux.weft
bench-native: $(O)/bench/native-ns $(O)/bench/records
	$(Q)tests/bench/native.sh $^
bench-mitigations: vm-ready $(BENCH_ASPECTS)
	$(Q)tests/bench/mitigations.sh
bench-records: vm-ready $(BENCH_ASPECTS)
	$(Q)tests/bench/run.sh records-count records
bench-ktrace: vm-ready
	$(Q)tests/bench/run.sh ktrace
bench-hit: vm-ready $(RIVALS) $(BENCH_ASPECTS)
	$(Q)tests/bench/run.sh hit
bench-weave: vm-ready $(RIVALS) $(O)/vm/programs/weave-rate $(BENCH_ASPECTS) \
		$(O)/vm/aspects/bench_many.ko
	$(Q)tests/bench/run.sh weave-count stall weave
bench-oneliners: demo-ready
	$(Q)tests/bench/run.sh oneliners oneliners-count
bench-kernel: deps plugin
	$(Q)tests/bench/kernel.sh $(O)/bench-kernel

# A module with the kernel's own probes, whose cost is compared with that of weft's splices.
$(RIVALS): tests/bench/rivals/rivals.c tests/bench/rivals/Kbuild | kernel
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(Q)ln -sf $(abspath $^) $(@D)/
	$(Q)$(KBUILD_ENV) make -C $(KERNEL) M=$(@D) KCFLAGS= $(if $(filter 1,$(V)),V=1,-s) modules
	$(Q)touch $@

$(O)/vm/aspects/%.ko: tests/bench/%.xml $(vm-module-needs)
	@mkdir -p $(@D)
	$(call say,ASPECT,$@)
	$(Q)$(vm-compile) --at-most 20000 $< -o $@

# weave-rate weaves by functions of the weaver, so it is linked with the weaver's library.
$(O)/vm/programs/weave-rate: tests/bench/weave-rate.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -o $@ $^ $(WEAVER_LIBS)

# Measures what a hit costs in a process, with the trampoline emitter that is in weft.ko, too.
$(O)/bench/native-ns: tests/bench/native/native-ns.c $(RUNTIME_SRCS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -D_GNU_SOURCE -I. -fno-pie -no-pie -o $@ $< \
		runtime/trampoline.c runtime/encode.c

$(O)/bench/records: tests/bench/native/records.c $(RUNTIME_SRCS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -D_GNU_SOURCE -I. -o $@ $<
