# SPDX-License-Identifier: GPL-2.0-or-later
#
# A fuzzer for what reads images, tables, databases, aspects and records: those parts of the weaver, compiled once more with GCC's
# sanitizers.

FUZZ         := $(O)/tests/fuzz/fuzz
# Without what needs the runtime: no reader does.
FUZZ_READERS := $(filter-out %/preview.c,$(wildcard weaver/base/*.c weaver/image/*.c weaver/joinpoint/*.c weaver/splice/*.c \
		weaver/aspect/*.c) weaver/report/records.c weaver/report/values.c weaver/live/device.c)
FUZZ_OBJECTS := $(FUZZ_READERS:%.c=$(O)/tests/fuzz/%.o) \
		$(patsubst %.c,$(O)/%.o,$(filter-out %/libfuzzer.c,$(wildcard tests/fuzz/*.c)))
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_FLAGS    = $(WEAVER_FLAGS) -Itests/fuzz -O1 $(FUZZ_SANITIZE)

# By their paths: make reads the rules of these two, and their names, later.
FUZZ_SEEDS   := $(O)/tests/unit/sample $(O)/tests/unit/some-module.ko $(addprefix $(O)/tests/golden/points/,sample sample.o)
# The corpus of aspects: all that there are, and all that are refused.
FUZZ_ASPECTS := $(wildcard aspects/*.xml tests/vm/aspects/*.xml tests/golden/compile/*.xml tests/refuse/*/*.xml)

# Rounds are thousands; `make check-fuzz ROUNDS=1000 SEED=7` is for a night.
ROUNDS ?= 1
SEED   ?= 1

#help   check-fuzz    damaged images, tables, databases, aspects and records, under sanitizers; ROUNDS=1000 SEED=N for hours of it
.PHONY: check-fuzz fuzz-program
fuzz-program: $(FUZZ)
check-fuzz: $(FUZZ) $(WEFT) $(FUZZ_SEEDS)
	$(Q)tests/fuzz/run.sh $(FUZZ) $(WEFT) $(ROUNDS) $(SEED) $(FUZZ_SEEDS) $(FUZZ_ASPECTS)

# The readers tell the fuzzer which way they went, the fuzzer itself does not.
$(O)/tests/fuzz/weaver/%.o: weaver/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(FUZZ_FLAGS) -fsanitize-coverage=trace-pc -MMD -MP -c -o $@ $<
$(O)/tests/fuzz/%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<
# At a fixed address: the same ways have the same numbers each time.
$(FUZZ): $(FUZZ_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(CC) -no-pie $(FUZZ_SANITIZE) -o $@ $^ $(WEAVER_LIBS)

-include $(FUZZ_OBJECTS:.o=.d)

# libFuzzer, with a folder for each target that keeps what it has found. Its corpus begins with the same files.
TARGET  ?= aspect
SECONDS ?= 3600
NIGHT         := $(O)/tests/fuzz/night
NIGHT_FLAGS    = $(WEAVER_FLAGS) -Itests/fuzz -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
NIGHT_OBJECTS := $(FUZZ_READERS:%.c=$(NIGHT)/%.o) \
		$(patsubst %.c,$(NIGHT)/%.o,$(filter-out %/fuzz.c %/mutate.c,$(wildcard tests/fuzz/*.c)))

#help   fuzz-night    the same by libFuzzer, where there is clang; TARGET=aspect SECONDS=3600
.PHONY: fuzz-night
fuzz-night: $(NIGHT)/night $(WEFT) $(FUZZ_SEEDS)
	$(Q)tests/fuzz/night.sh $(NIGHT) $(WEFT) $(TARGET) $(SECONDS) $(FUZZ_SEEDS) $(FUZZ_ASPECTS)
$(NIGHT)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CLANG,$@)
	$(Q)clang $(NIGHT_FLAGS) -MMD -MP -c -o $@ $<
$(NIGHT)/night: $(NIGHT_OBJECTS)
	$(call say,LD,$@)
	$(Q)clang $(NIGHT_FLAGS) -o $@ $^ $(WEAVER_LIBS)
-include $(NIGHT_OBJECTS:.o=.d)
