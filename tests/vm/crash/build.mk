# SPDX-License-Identifier: GPL-2.0-or-later
#
# The test that takes a crash dump of a woven guest and reads it.

#help   check-crash-dump  QEMU's dump of a woven guest, read by gdb (2)
.PHONY: check-crash-dump
check-crash-dump: all kernel $(KMOD_DEBUG) $(DB) \
		$(addprefix $(O)/vm/programs/,kernel-text text-owners traffic) \
		$(addprefix $(O)/vm/aspects/,$(addsuffix .ko,every_clobber donors_springboards \
			fault_any))
	$(Q)$(vm-dir)/crash/crash-dump.sh $(O)/vm/crash
