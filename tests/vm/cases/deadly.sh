#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests what could panic a kernel, or once did:
# - These splices must be refused, with the reason that fits each: in code that an int3 runs through
#   on its way to weft.ko, in code that ftrace copies or that the kernel rewrites, and in code of a
#   CPU that is not up yet.
# - User memory must be closed while advice runs.
# - The nesting guard must count the hits that it keeps out.
# - Records must be whole if their text just fits, and cut if it does not. They must have the values
#   of weft_log()'s arguments.
# - A read of an invalid address must return an error.
. "$(dirname "$0")/lib.sh"
# hook=N makes int3s reach weft.ko through the kernel's die notifiers, so that weft.ko also has to
# refuse splices in the code of the notifier chain.
load_weft hook=N
traffic 20 >/dev/null
weft weave --verbose "$aspects/deadly.ko" >/tmp/deadly 2>&1
places=$(grep -c '<instruction' "$WEFT_TOP/tests/vm/aspects/deadly.xml")
same "every deadly place is refused" "$(grep -c '^  refused' /tmp/deadly)" "$places"
same "each for its own reason" "$(head -n 1 /tmp/deadly | sed 's/.*(\(.*\))/\1/')" \
	"blacklisted 3, ftrace 2, static-call 1, own-text 4"
weft weave "$aspects/notified.ko" >/tmp/notified 2>&1
check "so is the read lock behind its ftrace site" grep -q 'refused 4 (own-text 4)' /tmp/notified
weft weave --traps "$aspects/entry_unix_dgram_sendmsg.ko" >/tmp/trap
check "a trap goes through the notifiers" grep -q 'trap 1 + refused 0' /tmp/trap
traffic 20 >/dev/null
at_least "and is hit" "$(figure entry_unix_dgram_sendmsg hits)" 20
weft unweave --all >/dev/null
weft read >/dev/null
rmmod weft

load_weft
same "the entry code is hooked" "$(cat /sys/module/weft/parameters/hook)" Y
weft weave "$aspects/notified.ko" >/tmp/notified 2>&1
check "with the short way less is deadly" grep -q 'refused 0' /tmp/notified
check "it is woven and lives" traffic 100
at_least "with hits" "$(figure notified hits)" 1000
check "and goes" weft unweave notified
weft read >/dev/null

weft weave "$aspects/open_user.ko" >/dev/null
cat /proc/version /etc/hostname >/dev/null 2>&1
weft unweave open_user >/dev/null
weft read open_user >/tmp/open
if grep -q '1 around it' /tmp/open; then
	pass "spliced where user memory is open"
else
	fail "open_user" "never hit with AC set"
fi
same "and closed in advice" "$(grep -vc 'AC is 0 in advice' /tmp/open)" 0

weft weave "$aspects/guard.ko" >/dev/null
weft weave "$aspects/guarded.ko" >/dev/null
before=$(figure guard missed)
traffic 50 >/dev/null
same "hits inside advice are missed and counted" \
	"$(($(figure guard missed) - before))" "$(figure guarded records)"
same "fifty of them" "$(figure guarded records)" 50
weft unweave --all >/dev/null
weft read >/dev/null

weft weave "$aspects/edge.ko" >/dev/null
traffic 40 >/dev/null
weft unweave edge >/dev/null
weft read edge | sed 's/.*: //' >/tmp/edge
same "forty strings around the size of the space" "$(wc -l </tmp/edge)" 40
same "each of one letter, the next of the next" \
	"$(awk '{ c = substr($0, 1, 1); gsub(c, ""); if (length($0)) print NR; s = s c }
		END { print s }' /tmp/edge)" "$(printf 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn')"
same "none shorter than it went in, or cut at the space" "$(weft list >/dev/null
	awk '{ want = 1010 + (NR - 1) % 20
		if (want > 1023) want = 1023
		if (length($0) != want) print NR, length($0) }' /tmp/edge)" ""

# weft_read() of an invalid address must return an error, and the kernel must go on.
weft read >/dev/null
weft weave "$aspects/faults.ko" >/dev/null
dd if=/dev/zero of=/dev/null bs=7 count=1 2>/dev/null
weft read --json faults >/tmp/json
dd if=/dev/zero of=/dev/null bs=7 count=1 2>/dev/null
weft unweave faults >/dev/null
weft read faults | sed 's/^[^:]*: //' >/tmp/faults
places=$(grep -c '^      { "' "$WEFT_TOP/tests/vm/aspects/faults.xml")
same "each read of nothing fails, and says so" \
	"$(grep -c ": peek 42, read -14, string -14 '', user -14$" /tmp/faults)" "$places"
same "the others do not" "$(grep -v '^plain\|peek 42' /tmp/faults)" \
	"there: peek 1, read 0, string 0 'a long ', user 0"

# Each record must carry the values of the arguments of weft_log().
# values PATTERN: prints the values of the first record whose text has PATTERN, one per line.
values() {
	python3 -S -c 'import json, sys
record = next(r for r in map(json.loads, open("/tmp/json")) if sys.argv[1] in r["text"])
for v in record["values"]:
    print("%s %s %s|%s" % (v["value"], v["type"], v["unit"], v["name"]))' "$1" 2>&1
}
same "numbers" "$(values plain)" "-7 signed |-SEVEN
7 unsigned B|(unsigned long)\$arg3
$(sed -n 's/.* of \([0-9]*\) .*/\1/p' <(grep plain /tmp/faults)) unsigned |\$line
vfs_read symbol |\$sym(vfs_read)"
same "and strings" "$(values there:)" "1 signed |weft_peek(&places[0].what[0], 0) == 'n'
0 signed |weft_read(&first, places[0].what, 1)
0 signed |weft_read_string(text, sizeof(text), \"a long string\")
a long  text |text
0 signed |weft_read_user(&first, (const void __user *)\$arg2, 1)"

weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
