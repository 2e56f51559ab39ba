# SPDX-License-Identifier: GPL-2.0-or-later
#
# A fuzzer for what reads images, tables and databases: those parts of the weaver, compiled once more with GCC's sanitizers.

FUZZ         := $(O)/tests/fuzz/fuzz
# Without what needs the runtime: no reader does.
FUZZ_READERS := $(filter-out %/preview.c,$(wildcard weaver/base/*.c weaver/image/*.c weaver/joinpoint/*.c weaver/splice/*.c))
FUZZ_OBJECTS := $(FUZZ_READERS:%.c=$(O)/tests/fuzz/%.o) \
		$(patsubst %.c,$(O)/%.o,$(wildcard tests/fuzz/*.c))
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_FLAGS    = $(WEAVER_FLAGS) -Itests/fuzz -O1 $(FUZZ_SANITIZE)

# By their paths: make reads the rules of these two, and their names, later.
FUZZ_SEEDS   := $(O)/tests/unit/sample $(O)/tests/unit/some-module.ko $(addprefix $(O)/tests/golden/points/,sample sample.o)

# Rounds are thousands; `make check-fuzz ROUNDS=1000 SEED=7` is for a night.
ROUNDS ?= 1
SEED   ?= 1

#help   check-fuzz    damaged images, tables and databases, under sanitizers; ROUNDS=1000 SEED=N for hours of it
.PHONY: check-fuzz fuzz-program
fuzz-program: $(FUZZ)
check-fuzz: $(FUZZ) $(WEFT) $(FUZZ_SEEDS)
	$(Q)tests/fuzz/run.sh $(FUZZ) $(WEFT) $(ROUNDS) $(SEED) $(FUZZ_SEEDS)

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
