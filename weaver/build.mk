# The weaver: the `weft` program.
WEAVER_PKGS   := libelf libdw libxml-2.0 capstone sqlite3 zlib liblzma libprotobuf-c
# pkg-config runs when this variable is used, not when make reads this file: `make deps` may install
# the packages in between.
WEAVER_FLAGS   = $(CSTD) $(WARN) $(OPT) -D_GNU_SOURCE -Iweaver -I. \
		 $(shell pkg-config --cflags $(WEAVER_PKGS) 2>/dev/null)
# libxml2 is loaded when an aspect is read (aspect/xml/xml-check.c; docs/decisions.md). Capstone is
# linked statically, and the program is not position-independent: Capstone's tables are 77,000
# pointers, which would otherwise be relocated at each start of the program. The library of protocol
# buffers (libprotobuf-c) is linked statically, too: it is only a few functions, and no start of the
# program has to look for another shared library.
LINKED_PKGS   := $(filter-out libxml-2.0 capstone libprotobuf-c,$(WEAVER_PKGS))
WEAVER_LIBS    = -no-pie $(shell pkg-config --libs $(LINKED_PKGS)) -l:libcapstone.a \
		 -l:libprotobuf-c.a
WEAVER_SRCS   := $(wildcard weaver/*.c weaver/*/*.c weaver/*/*/*.c)
# The files of runtime/ are also compiled into weft.ko. The weaver has them to show the code that
# weft.ko will make.
WEAVER_OBJS   := $(WEAVER_SRCS:%.c=$(O)/%.o) \
		 $(patsubst %.c,$(O)/weaver/%.o,$(wildcard runtime/*.c))
include weaver/report/page/build.mk
WEAVER_OBJS   += $(PAGE_OBJECT)
PERFETTO_OBJECT := $(O)/weaver/trace/perfetto.pb-c.o
WEAVER_OBJS   += $(PERFETTO_OBJECT)
KTRACE_OBJECT := $(O)/weaver/aspect/oneliner/ktrace-parts.o
WEAVER_OBJS   += $(KTRACE_OBJECT)
# Everything except main(); the unit tests are linked with it.
WEAVER_LIB    := $(O)/weaver/libweaver.a

all: $(WEFT)
$(O)/weaver/%.o: weaver/%.c | deps
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(O)/weaver/runtime/%.o: runtime/%.c | deps
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# protoc-c makes C of the schema of Perfetto's traces (perfetto.proto).
$(PERFETTO_OBJECT:.o=.h): weaver/trace/perfetto.proto | deps
	@mkdir -p $(@D)
	$(call say,PROTO,$@)
	$(Q)protoc-c --c_out=$(@D) --proto_path=$(<D) $<
$(PERFETTO_OBJECT): $(PERFETTO_OBJECT:.o=.h)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $(@:.o=.c)
$(O)/weaver/trace/perfetto.o: $(PERFETTO_OBJECT:.o=.h)
$(O)/weaver/trace/perfetto.o: CPPFLAGS += -I$(O)/weaver/trace

# The pieces of aspects/ktrace/ktrace.xml, of which `weft ktrace` makes its aspects.
$(KTRACE_OBJECT): weaver/aspect/oneliner/ktrace-parts.S aspects/ktrace/ktrace.xml | deps
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$(Q)$(CC) -Wa,-I,aspects/ktrace -c -o $@ $<

# The names of system calls (trace/syscall-names.c), as the C library's headers have them.
SYSCALL_NAMES := $(O)/weaver/trace/syscall-table.h
$(SYSCALL_NAMES): | deps
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)echo '#include <asm/unistd_64.h>' | $(CC) -E -dM - | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/[\2] = "\1",/p' >$@.new
	$(Q)test -s $@.new && mv $@.new $@
$(O)/weaver/trace/syscall-names.o: $(SYSCALL_NAMES)
$(O)/weaver/trace/syscall-names.o: CPPFLAGS += -I$(O)/weaver/trace

# The version that `weft --version` prints. packaging/build.mk sets VERSION.
$(O)/weaver/main.o: CPPFLAGS += -DWEFT_RELEASE='"$(VERSION)"'
$(O)/weaver/main.o: debian/changelog

$(WEAVER_LIB): $(filter-out $(O)/weaver/main.o,$(WEAVER_OBJS))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(WEFT): $(O)/weaver/main.o $(WEAVER_LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(WEAVER_LIBS)

-include $(WEAVER_OBJS:.o=.d)

#help Build:
#help   man           the man pages, of the table that `weft help` shows ($(O)/man)
.PHONY: man
man: $(O)/man/weft.1
$(O)/man/weft.1: $(WEFT)
	@mkdir -p $(@D)
	$(call say,MAN,$(@D))
	$(Q)rm -f $(@D)/weft-*.1
	$(Q)for command in $$($(WEFT) help --complete -- ''); do \
		$(WEFT) help --man $$command >$(@D)/weft-$$command.1 || exit 1; \
	done
	$(Q)$(WEFT) help --man >$@
