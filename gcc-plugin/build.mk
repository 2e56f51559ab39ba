# SPDX-License-Identifier: GPL-2.0-or-later
#
# The compiler's plugin: C++ only because GCC's headers are, built for the one compiler $(CC).

PLUGIN         := $(O)/gcc-plugin/weft_joinpoints.so
# The compiler is asked when this variable is used, not when make reads this file: `make deps` may
# install the compiler in between.
PLUGIN_HEADERS  = $(shell $(CC) -print-file-name=plugin)/include
PLUGIN_SOURCES := $(wildcard gcc-plugin/*.cc)
PLUGIN_OBJECTS := $(PLUGIN_SOURCES:%.cc=$(O)/%.o)
PLUGIN_FLAGS    = -std=gnu++14 -O2 -g -fPIC -fno-rtti -fno-exceptions -fvisibility=hidden \
		  -Wall -Wextra -Wno-unused-parameter -Wshadow -isystem $(PLUGIN_HEADERS) \
		  -Igcc-plugin -I.

all: plugin

#help   plugin     the GCC plugin that notes accesses ($(O)/gcc-plugin/weft_joinpoints.so)
.PHONY: plugin
plugin: $(PLUGIN)

# The plugin is linked as C: the parts of the C++ library that it needs are inside the compiler that
# loads it.
$(PLUGIN): $(PLUGIN_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $^ -lz

$(O)/gcc-plugin/%.o: gcc-plugin/%.cc gcc-plugin/build.mk | deps
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCXX) $(PLUGIN_FLAGS) -MMD -MP -c -o $@ $<

-include $(PLUGIN_OBJECTS:.o=.d)
