#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests weft_str(), which reads a string from a process's memory, in keys and records. The strings
# are compared with strace's. If the page of a string is not in memory, weft_str() must not wait for
# it: the key or the record must say that the string is not in memory.
. "$(dirname "$0")/lib.sh"
load_weft
cp /bin/bash /tmp/holder
cp "$(realpath /usr/bin/python3)" /tmp/missing
check "weave" weft weave "$aspects/user_strings.ko"
strace -qq -e trace=open,openat -o /tmp/trace /tmp/holder -c ': </etc/hostname; : </etc/passwd' \
	2>/dev/null
printf /etc/hostname >/tmp/path
/tmp/missing -S - <<-'END'
	import ctypes, os
	libc = ctypes.CDLL(None, use_errno=True)
	libc.mmap.restype = ctypes.c_void_p
	libc.mmap.argtypes = [ctypes.c_void_p] + [ctypes.c_long] * 5
	path = libc.mmap(None, 4096, 1, 2, os.open("/tmp/path", os.O_RDONLY), 0)
	raise SystemExit(libc.open(ctypes.c_void_p(path), 0) < 0)
END
same "a program opens by a path that is not in memory" $? 0
weft report --json user_strings >"$json"
strings() { sed -nE 's/^open(at)?\((AT_FDCWD, )?"([^"]*)".*/\3/p' /tmp/trace | cut -c 1-31; }
lines "as keys: each path that strace has" "$(strings | sort -u)" \
	"$(strings | sort -u | while read -r path; do [ "$(count opens "$path")" -lt 1 ] ||
		echo "$path"; done)"
at_least "and what is not in memory, without waiting for it" "$(count opens '(not in memory)')" 1
weft unweave user_strings >/dev/null
weft read user_strings >/tmp/records
lines "in records: as strace has them, in their order" \
	"$(sed -nE 's/.* holder-[0-9]+ .*: opens (.*)/\1/p' /tmp/records |
		tail -n "$(wc -l </tmp/trace)")" \
	"$(sed -nE 's/^open(at)?\((AT_FDCWD, )?"([^"]*)".*/\3/p' /tmp/trace)"
same "and one that is not in memory" \
	"$(grep -cE ' (missing|holder)-[0-9]+ .*: opens \(not in memory\)$' /tmp/records)" \
	"$(count opens '(not in memory)')"
check "weft.ko unloads" bash -c 'weft report --reset user_strings && rmmod weft'
finish
