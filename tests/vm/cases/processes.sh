#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests aspects in a program, which counts itself what it does (tests/vm/processes/shop.c). What
# weft counts and records has to be what the program says, and what the kernel's own uprobe event
# counts at the same instruction. The program is woven before it starts and while it runs; it forks;
# and it goes on after the aspect has gone.
#
# aspects: processes_shop processes_fault
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../breakpoints.sh"
shop=$O/vm/shop/shop
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
load_weft

# said KEY FILE: prints the number after KEY in what the program has printed.
said() { sed -nE "s/.*\<$1 ([0-9]+).*/\1/p" "$2"; }
entry=$(nm "$shop" | sed -n 's/^0*\([0-9a-f]*\) T sell$/\1/p')
echo "p:shop/sell $shop:0x$entry" >$tracing/uprobe_events
echo 1 >$tracing/events/shop/sell/enable
weft weave "$aspects/processes_shop.ko" >/tmp/said
same "the summary" "$(sed -n 1p /tmp/said)" "processes_shop: matched 6 = call 0 + jump 0 + \
springboard 0 + trap 0 + uprobe 6 + refused 0"
check "the program runs" bash -c "'$shop' 200 >/tmp/first"
weft report --json processes_shop >"$json"
sold=$(said sold /tmp/first)
same "it has sold" "$sold" 200
same "an inline counter has as many hits" "$(metric sales | value count)" "$sold"
same "and the kernel's own uprobe" "$(awk '$2 == "sell" { print $3 }' \
	$tracing/uprobe_profile)" "$sold"
same "a key: the command" "$(count by_command shop)" "$sold"
same "at a member, by joinpoint" "$(metric members | value count)" "$sold"
same "a histogram of a value that is stored" "$(sums prices)" "$(said worth /tmp/first)"
weft read processes_shop >/tmp/records
same "records of the entry" "$(grep -c ': sells for ' /tmp/records)" "$sold"
same "a variable from a register, and an argument" \
	"$(sed -nE 's/.*: sells for (.*), argument \1$/\1/p' /tmp/records | tr '\n' ' ')" \
	"$(for i in $(seq 0 199); do echo -n "$((i % 100)) "; done)"
same "members from the process's memory" \
	"$(sed -nE 's/.*: sold ([0-9]+) worth ([0-9]+) obj 1$/\1 \2/p' /tmp/records |
		tr '\n' ,)" \
	"$(awk 'BEGIN { for (i = 0; i < 200; i++) { printf "%d %d,", i + 1, w; w += i % 100 } }')"
check "records name process, program and joinpoint" \
	grep -qE " shop-[0-9]+ shop:sell\+0x0: sells for " /tmp/records
same "weft list" "$(weft list --json | grep -o '"module":"[^"]*","section":"","state":"[a-z]*"')" \
	"\"module\":\"$(cut -c 1-55 <<<"$shop")\",\"section\":\"\",\"state\":\"woven\""

check "weft plan knows programs" grep -qx "matched 6 = call 0 + jump 0 + springboard 0 + trap 0 + \
uprobe 6 + refused 0" <(weft plan "$aspects/processes_shop.xml")
check "each with its instruction" grep -q '^shop:sell+0x0  *pushq .* uprobe' \
	<(weft plan "$aspects/processes_shop.xml")

# A child has the uprobes, too, and so has a process that ran before the weave.
weft report --reset processes_shop
check "a program that forks" bash -c "SHOP_FORK=1 '$shop' 50 >/tmp/forked"
weft report --json processes_shop >"$json"
same "parent and child are counted" "$(metric sales | value count)" 100
mkfifo /tmp/lines
SHOP_WAIT=1 "$shop" 30 </tmp/lines >/tmp/waited &
waiting=$!
exec 3>/tmp/lines
echo >&3
await test "$(weft report --json processes_shop | grep -c .)" -ge 4
sleep 0.3
at_least "a process has breakpoints" "$(breakpoints $waiting "$shop")" 3
echo 0 >$tracing/events/shop/sell/enable
weft unweave processes_shop >/tmp/unwoven
check "unweaving says what it took out" grep -q 6 /tmp/unwoven
same "its text is the file's again" "$(breakpoints $waiting "$shop")" 0
echo >&3
check "weave while it runs" bash -c "weft weave '$aspects/processes_shop.ko' >/tmp/said"
echo >&3
wait $waiting
same "the program is right" "$(cat /tmp/waited)" "$("$shop" 30)"
weft report --json processes_shop >"$json"
same "what came after the weave is counted" "$(metric sales | value count)" "$((10 + 30))"
exec 3>&-

# A traced process, one that is killed, and one that becomes the program by exec.
weft report --reset processes_shop
check "under strace" strace -f -o /tmp/trace "$shop" 20
mkfifo /tmp/more
SHOP_WAIT=1 "$shop" 100 </tmp/more >/dev/null &
victim=$!
exec 3>/tmp/more
printf '\n\n' >&3
sleep 0.3
kill -9 $victim
wait $victim 2>/dev/null
exec 3>&-
check "by exec" bash -c "exec '$shop' 5 >/dev/null"
weft report --json processes_shop >"$json"
same "all are counted" "$(metric sales | value count)" $((20 + 20 + 5))

# The file cannot be written while it is woven.
writable() { (exec 4>>"$shop") 2>/dev/null; }
check "the file cannot be written to" bash -c "! (exec 4>>'$shop') 2>/dev/null"
weft unweave processes_shop >/dev/null
check "it can be afterwards" writable
exec 4>>"$shop"
refuses "nobody may write when it is woven" 10 'open for writing' \
	weft weave "$aspects/processes_shop.ko"
exec 4>&-
echo >$tracing/uprobe_events

# Advice that faults is ended, and taken out; the program goes on.
check "weave what faults" bash -c "weft weave '$aspects/processes_fault.ko' >/tmp/said"
same "the program is right" "$("$shop" 40)" "sold 40 worth 780 reads 0 clerks 60"
await test "$(state processes_fault)" != woven
at_least "the fault is noted" "$(figure processes_fault faults)" 1
await in_state processes_fault faulted || weft list
same "and afterwards" "$("$shop" 40)" "sold 40 worth 780 reads 0 clerks 60"
weft unweave processes_fault >/dev/null 2>&1

# Advice that faults while it holds an RCU read section and has disabled page faults. A program that
# went on with these would die at its next page fault, or the kernel would warn.
check "weave what faults and holds" bash -c "weft weave '$aspects/processes_held.ko' >/tmp/said"
far=$(sed -n 's/.*program="\([^"]*\)".*/\1/p' "$aspects/processes_held.xml")
same "of a path that is too long, the end is shown" \
	"$(weft list --json | sed -n 's/.*"module":"\([^"]*\)".*/\1/p')" "/...${far: -51}"
same "the program is right, too" "$("$shop" 40)" "sold 40 worth 780 reads 0 clerks 60"
await in_state processes_held faulted || weft list
same "the fault is in its line" "$(weft list | grep -o 'processes_held.xml:[0-9]*' | head -n 1)" \
	"processes_held.xml:$(grep -n nowhere.=.1 \
		"$WEFT_TOP/tests/vm/processes/processes_held.xml" | cut -d: -f1)"
weft unweave processes_held >/dev/null 2>&1
check "nothing in the log" bash -c '! dmesg | grep -E "BUG:|WARNING:|Oops"'
check "weft.ko unloads" bash -c 'weft report --reset processes_shop; rmmod weft'
finish
