# SPDX-License-Identifier: GPL-2.0-or-later
#
# One make for everything; each folder adds its rules in build.mk. `make help` lists what to type.
# Objects go to $(O), never into the tree.

O        ?= $(CURDIR)/build
V        ?= 0
ASAN     ?= 0
CC       := gcc
HOSTCXX  := g++
WEFT     := $(O)/weft

export O V ASAN

CSTD     := -std=gnu11
WARN     := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wvla -Wno-unused-parameter
OPT      := -O2 -g
ifeq ($(ASAN),1)
OPT      := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer
endif

ifeq ($(V),1)
Q        :=
say       = @:
else
Q        := @
say       = @printf '  %-7s %s\n' $(1) $(patsubst $(O)/%,%,$(2))
endif

.PHONY: all
all: # filled by the folders' build.mk

include scripts/deps.mk
include gcc-plugin/build.mk
include weaver/build.mk
include kmod/build.mk
include tests/build.mk

.PHONY: clean help
clean:
	rm -rf $(O)

help:
	@sed -n 's/^#help //p' $(MAKEFILE_LIST)
