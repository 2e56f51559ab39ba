# SPDX-License-Identifier: GPL-2.0-or-later
#
# The demo kernel's database against objdump and readelf.

#help   check-oracle  the joinpoint database and the points of functions against objdump, readelf and addr2line
.PHONY: check-oracle
check-oracle: $(WEFT) kernel
	$(Q)tests/oracle/database.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux"
	$(Q)tests/oracle/points.sh $(WEFT) "$$(tests/vm/kernel.sh path)/vmlinux"

DECODE_ORACLE := $(O)/tests/oracle/decode
$(DECODE_ORACLE): tests/oracle/decode.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(WEAVER_LIBS)

#help   check-oracle-decode  lengths and targets of every instruction of the demo kernel against objdump
.PHONY: check-oracle-decode
check-oracle-decode: $(DECODE_ORACLE) kernel
	$(Q)objdump -d --insn-width=15 "$$(tests/vm/kernel.sh path)/vmlinux" | $(DECODE_ORACLE)
