# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the tests of the command line: what commands take, and what help, man pages and
# completion say of it.

#help   check-cli     help, man pages, completion and what the commands parse say the same;
#help                 `make install`
.PHONY: check-cli
check-cli: all man $(UNIT_SAMPLE)
	$(Q)tests/cli/run.sh $(WEFT) $(O)/man $(UNIT_SAMPLE)
