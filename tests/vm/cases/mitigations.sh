#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# On a processor with mitigations: what its returns run through is refused, traps and trampolines
# return by it, and all works. `make bench-mitigations` runs the same on others.
# vm.sh: --cpu EPYC-Milan
. "$(dirname "$0")/lib.sh"
vulnerabilities=/sys/devices/system/cpu/vulnerabilities
grep . $vulnerabilities/{spectre_v2,retbleed,spec_rstack_overflow,indirect_target_selection} \
	2>/dev/null |
	sed 's/.*vulnerabilities.//; s/^/       /'
check "the mitigation is active" grep -qi "${WEFT_MITIGATION:-safe RET}" $vulnerabilities/*
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

# Where the stub that the int3 goes through (kmod/splice/int3-hook.c) returns to, and where the
# kernel's returns go: the stub is the only thing outside of the kernel that asm_exc_int3 calls, and
# its last instruction is a jump to a return.
returns() {
	python3 -S - <<-'END'
	import struct
	symbols = {l.split()[2]: int(l.split()[0], 16) for l in open("/proc/kallsyms")}
	core = open("/proc/kcore", "rb")
	head = core.read(64)
	core.seek(struct.unpack_from("<Q", head, 32)[0])
	count = struct.unpack_from("<H", head, 56)[0]
	loads = [struct.unpack("<IIQQQQQQ", core.read(56)) for _ in range(count)]
	def read(at, n):
	    for kind, _, offset, start, _, size, _, _ in loads:
	        if kind == 1 and start <= at < start + size:
	            core.seek(offset + at - start)
	            return core.read(n)
	def target(at): return (at + 5 + struct.unpack("<i", read(at + 1, 4))[0]) % 2**64
	entry = symbols["asm_exc_int3"]
	calls = [target(entry + i) for i, byte in enumerate(read(entry, 64)) if byte == 0xe8]
	stub = next(at for at in calls if at >= symbols["_etext"] and read(at, 1) == b"\x57")
	back = target(stub + 16)
	while read(back, 1) not in (b"\xe9", b"\xc3"): back += 4 # an endbr
	plain = read(back, 1) == b"\xc3"
	active, = struct.unpack("<Q", read(symbols["x86_return_thunk"], 8))
	wanted = symbols["__x86_return_thunk"] if plain else target(back)
	# With ITS a return in the upper half of its cache line may stay plain.
	if plain and back & 0x20 and active == symbols["its_return_thunk"]: wanted = active
	print("like the kernel" if wanted == active else "%x instead of %x" % (wanted, active))
	END
}
same "the int3's stub returns as the kernel does" "$(returns 2>&1)" "like the kernel"

weft weave "$aspects/thunks.ko" >/tmp/thunks 2>&1
places=$(grep -c '<instruction' "$WEFT_TOP/tests/vm/aspects/thunks.xml")
same "what returns run through is refused" \
	"$(head -n 1 /tmp/thunks | sed 's/.*refused/refused/')" \
	"refused $((places - 1)) (blacklisted $((places - 1)))"
check "the rest is woven, and lives" traffic 30
check "with hits" test "$(figure thunks hits)" -ge 30
weft unweave thunks >/dev/null

for option in "" --traps; do
	weft weave ${option:+$option} "$aspects/clobber.ko" >/dev/null
	check "weave ${option:-by jumps} where registers are lost" traffic 100
	check "with hits" test "$(figure clobber hits)" -ge 1000
	weft unweave clobber >/dev/null
done
weft weave "$aspects/log_skb_destructor.ko" >/dev/null
check "and records" traffic 30
weft unweave log_skb_destructor >/dev/null
check "that come" grep -q destructor <(weft read log_skb_destructor)
check "text restored" restored
finish
