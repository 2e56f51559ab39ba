# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the fuzzer of the weaver's code that reads images, joinpoint tables, databases, aspects,
# records and recordings. That code is compiled a second time, with clang's sanitizers and
# libFuzzer.

FUZZ         := $(O)/tests/fuzz/fuzz
# All rooms of the weaver that read input, without the files that need the trampoline emitter.
FUZZ_ROOMS   := base x86 image image/dwarf prove index database plan splice aspect/* module trace
FUZZ_READERS := $(wildcard runtime/x86-*.c) \
	$(filter-out %/preview.c,$(wildcard $(foreach room,$(FUZZ_ROOMS),weaver/$(room)/*.c))) \
	$(addprefix weaver/,report/records.c report/value-text.c report/visible.c \
		report/ktrace-text.c live/requests.c live/privilege.c)
FUZZ_OBJECTS := $(patsubst %.c,$(O)/tests/fuzz/objects/%.o,\
	$(FUZZ_READERS) $(wildcard tests/fuzz/*.c)) $(PERFETTO_OBJECT) $(KTRACE_OBJECT)
FUZZ_TARGETS := table vmlinux module object database aspect records recording
# libFuzzer is part of clang's runtime library, which must be of clang's version.
CLANG        := clang-$(shell scripts/release.sh clang)
# For clang's sanitizer NULL + 0 (the end of an empty vector) is an overflow; for GCC, which builds
# weft, it is not.
FUZZ_FLAGS    = $(WEAVER_FLAGS) -Wno-missing-field-initializers \
		-Wno-gnu-variable-sized-type-not-at-end -Itests/fuzz -O1 -g1 \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		-fno-sanitize=pointer-overflow -fno-omit-frame-pointer \
		-I$(O)/weaver/trace -DFUZZ_VMLINUX='"$(O)/tests/unit/sample"'

# These files are named by their paths, because make reads the rules of their folders, with the
# variables, later.
FUZZ_SEEDS   := $(O)/tests/unit/sample $(O)/tests/unit/some-module.ko \
	$(addprefix $(O)/tests/golden/points/,sample sample.o)
# The seeds of the target "aspect" are all aspects of the tree, also those that weft refuses.
FUZZ_ASPECTS := $(wildcard aspects/*.xml tests/vm/aspects/*.xml tests/golden/*/*.xml)

# `make check` does one round: the numbers of inputs in run.sh. For a night there are ROUNDS=1000
# SEED=7, or fuzz-night, which ends after SECONDS.
ROUNDS  ?= 1
SEED    ?= 1
TARGET  ?= aspect
SECONDS ?= 3600

#help   check-fuzz    damaged images, tables, databases, aspects and records, by libFuzzer;
#help                 ROUNDS=1000 SEED=N for hours of it
#help   fuzz-night    one of them for a while, keeping what it finds; TARGET=aspect SECONDS=3600
.PHONY: check-fuzz fuzz-night fuzz-program
fuzz-program: $(FUZZ)
CHECK_NEEDS += $(if $(call in-share,check-fuzz),$(FUZZ) $(FUZZ_SEEDS))
check-fuzz: $(FUZZ) $(WEFT) $(FUZZ_SEEDS)
	$(Q)tests/fuzz/run.sh $(FUZZ) $(WEFT) $(ROUNDS) $(SEED) $(FUZZ_SEEDS) $(FUZZ_ASPECTS)
fuzz-night: $(FUZZ) $(WEFT) $(FUZZ_SEEDS)
	$(Q)mkdir -p $(FUZZ)-night/$(TARGET)
	$(Q)tests/fuzz/target.sh $(FUZZ) $(WEFT) $(TARGET) -max_total_time=$(SECONDS) \
		$(FUZZ)-night/$(TARGET) $(FUZZ_SEEDS) $(FUZZ_ASPECTS)

$(O)/tests/fuzz/objects/%.o: %.c | deps
	@mkdir -p $(@D)
	$(call say,CLANG,$@)
	$(Q)$(CLANG) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<
$(O)/tests/fuzz/objects/weaver/trace/perfetto.o: $(PERFETTO_OBJECT)
$(O)/tests/fuzz/objects/weaver/trace/syscall-names.o: $(SYSCALL_NAMES)
$(FUZZ): $(FUZZ_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(CLANG) $(FUZZ_FLAGS) -o $@ $^ $(WEAVER_LIBS)
	$(Q)for target in $(FUZZ_TARGETS); do ln -sf fuzz $@-$$target; done

-include $(FUZZ_OBJECTS:.o=.d)
