# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests that run trampolines and the splice engine in a process, on the real
# processor. README.md says what each program does.

NATIVE_HELPERS := $(patsubst %.c,$(O)/%.o,\
	$(filter-out tests/native/test_% tests/native/live% tests/native/samples.c,\
	$(wildcard tests/native/*.c)))
NATIVE_WOVEN   := $(addprefix $(O)/tests/native/test_,libraries makers steps returns live)
NATIVE_FLAGS    = $(WEAVER_FLAGS) -Itests/native
NATIVE_PROGRAMS := $(patsubst %.c,$(O)/%,$(wildcard tests/native/test_*.c))
CHECK_NEEDS     += $(if $(call in-share,check-native),$(NATIVE_PROGRAMS))

#help   check-native  trampolines, libraries woven, and weft.ko's weaving, run natively
.PHONY: check-native bench-woven
check-native: $(NATIVE_PROGRAMS)
	$(Q)tests/unit/run.sh $(NATIVE_PROGRAMS)

#help   bench-woven  the same with more of all, for minutes, shown as it goes
bench-woven: $(NATIVE_WOVEN)
	$(Q)WEFT_LONG=1 SHOW=1 tests/unit/run.sh $(NATIVE_WOVEN)

# The programs without a rule of their own below are linked at a low address (-no-pie);
# test_trampoline.c says why.
$(O)/tests/native/%: tests/native/%.c tests/native/trap-flag.h tests/native/ring-records.h \
		tests/native/trampoline-functions.h tests/native/call-with-marks.h $(RUNTIME_SRCS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -D_GNU_SOURCE -I. -fno-pie -no-pie -o $@ $< \
		runtime/trampoline.c runtime/encode.c -lcmocka

# test_liveness and test_flags use the weaver's tables of liveness and flags. The samples that
# test_liveness runs are compiled as a kernel is.
$(O)/tests/native/samples.o: tests/native/samples.c tests/native/samples.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) -O2 -g -fno-pie -mgeneral-regs-only -mskip-rax-setup \
		-fno-jump-tables -fno-ipa-ra -fcf-protection=none -c -o $@ $<
$(O)/tests/native/test_liveness: tests/native/test_liveness.c $(O)/tests/native/samples.o \
		$(WEAVER_LIB)
$(O)/tests/native/test_flags: tests/native/test_flags.c $(WEAVER_LIB)
$(O)/tests/native/test_liveness $(O)/tests/native/test_flags:
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) -fno-pie -no-pie -o $@ $^ $(WEAVER_LIBS) -lcmocka

# The programs of NATIVE_WOVEN weave libraries in their own process. As in a kernel, advice uses
# general registers only.
$(O)/tests/native/advice.o: NATIVE_FLAGS += -mgeneral-regs-only
$(O)/tests/native/%.o: tests/native/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NATIVE_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(NATIVE_WOVEN): $(O)/%: $(O)/%.o $(NATIVE_HELPERS) $(O)/runtime/trampoline.o \
		$(O)/runtime/encode.o $(WEAVER_LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(WEAVER_LIBS) -lcrypto -lcmocka
$(O)/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARN) $(OPT) -I. -MMD -MP -c -o $@ $<

# test_live runs sources of weft.ko that are compiled for a process. For these, empty files stand in
# for the kernel's headers, and kernel-shim/kernel.h is included before everything else.
LIVE_KMOD      := weave unweave base/lock base/table-memory text/text text/kgdb \
		  $(addprefix splice/,donor exec-mem grace ksym noted-calls optimize perf-events \
		  poke retire slot splice splice-state trap write)
LIVE_SRCS      := $(wildcard tests/native/live*.c tests/native/kernel-shim/*.c)
LIVE_OBJS      := $(LIVE_KMOD:%=$(O)/tests/native/kmod/%.o) $(LIVE_SRCS:%.c=$(O)/%.o)
LIVE_HEADERS   := $(O)/tests/native/kernel-headers
LIVE_FLAGS     := $(CSTD) $(WARN) $(OPT) -fno-strict-aliasing -Wno-sign-compare -D_GNU_SOURCE \
		  -DWK_DEBUG -DCONFIG_SMP -DCONFIG_HAVE_STATIC_CALL -DWK_HAS_EXECMEM \
		  -I$(LIVE_HEADERS) -Itests/native -Ikmod -I. \
		  -include kernel-shim/kernel.h
LIVE_INCLUDED   = sed -n 's/^\#include <\(\(linux\|asm\)\/.*\.h\)>$$/\1/p' $(KMOD_SRCS) \
		  $(RUNTIME_SRCS) | sort -u | grep -v -x -e linux/types.h -e linux/ioctl.h \
		  -e linux/errno.h

$(LIVE_HEADERS)/stamp: $(KMOD_SRCS) $(RUNTIME_SRCS)
	$(Q)$(LIVE_INCLUDED) | while read -r header; do \
		mkdir -p $(@D)/$${header%/*}; [ -e $(@D)/$$header ] || : > $(@D)/$$header; done
	$(Q)touch $@
$(LIVE_OBJS): | $(LIVE_HEADERS)/stamp
$(LIVE_OBJS): NATIVE_FLAGS = $(LIVE_FLAGS)
# These two objects include headers of the weaver as well as of the shim.
$(O)/tests/native/live.o $(O)/tests/native/live-advice.o: NATIVE_FLAGS += -Iweaver
$(O)/tests/native/live-advice.o: NATIVE_FLAGS += -mgeneral-regs-only
$(O)/tests/native/kmod/%.o: kmod/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(NATIVE_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(O)/tests/native/test_live: $(LIVE_OBJS)

# test_views includes its sources of weft.ko. Of the shim it needs what allocates memory.
$(O)/tests/native/test_views.o: | $(LIVE_HEADERS)/stamp
$(O)/tests/native/test_views.o: NATIVE_FLAGS = $(LIVE_FLAGS)
$(O)/tests/native/test_views: $(O)/tests/native/test_views.o \
		$(O)/tests/native/kernel-shim/memory.o $(O)/tests/native/kmod/base/table-memory.o
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ -lcmocka

.PRECIOUS: $(O)/tests/native/%.o
-include $(NATIVE_HELPERS:.o=.d) $(LIVE_OBJS:.o=.d) $(NATIVE_WOVEN:=.d) \
	$(O)/tests/native/test_views.d
