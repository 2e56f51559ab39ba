# SPDX-License-Identifier: GPL-2.0-or-later
#
# What things cost, beside their goals. Figures that depend on the machine are of one core.

#help   bench         what indexing, asking and a hit cost, beside their goals and the kernel's own probes (2)
#help   bench-kernel  what the plugin does to a whole kernel: code, time, size; builds two (twenty minutes, 10 GB)
.PHONY: bench bench-database bench-hit bench-kernel
bench: deps bench-database bench-hit
bench-database: all kernel $(O)/vm/programs/measure
	$(Q)tests/bench/database.sh $(WEFT) $(O)/vm/programs/measure "$$(tests/vm/kernel.sh path)"
bench-hit: vm-ready
	$(Q)tests/bench/run.sh
bench-kernel: deps plugin
	$(Q)tests/bench/kernel.sh $(O)/bench-kernel
