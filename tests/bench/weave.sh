#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in the guest, on two CPUs: measures how fast many shadows are woven and unwoven, compared
# with register_kprobes(). The guest is emulated, so only the ratios matter.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
tracing=/sys/kernel/tracing
rivals=$O/bench/rivals/rivals.ko
said() { dmesg | sed -n "s/.*rivals: $1 //p" | tail -n 1; }
rate() { awk -v n="$1" -v ms="$2" 'BEGIN { printf "%.0f", n * 1000 / ms }'; }

# Prints which kinds of splices there are once all are optimized.
weft weave --optimized "$O/vm/aspects/bench_many.ko" >/tmp/summary 2>&1
head -n 2 /tmp/summary
weft unweave bench_many >/dev/null
weft read >/dev/null 2>&1
kinds() {
	local n='([0-9]+)'
	sed -nE "1s/.* = call $n \+ jump $n \+ springboard $n \+ trap $n .*/\1 \2 \3 \4/p" \
		/tmp/summary
}
# per_second SHADOWS MS MS: prints how many shadows are woven and unwoven per second, if weaving and
# unweaving SHADOWS of them took these times.
per_second() {
	awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%.0f", n * 1000 / (a + b) }'
}
row "of what is spliced, at jump speed" \
	"$(kinds | awk '{ printf "%.2f", 100 * ($1 + $2 + $3) / ($1 + $2 + $3 + $4) }')" % \
	at-least 97
row "of what is spliced, traps" \
	"$(kinds | awk '{ printf "%.2f", 100 * $4 / ($1 + $2 + $3 + $4) }')" % at-most 2
rmmod weft
load_weft

read -r _ first _ <<<"$(weave-rate 1 "$O/vm/aspects/bench_many.ko")"
read -r shadows weave unweave _ text _ weaving _ unweaving _ list \
	<<<"$(weave-rate 10 "$O/vm/aspects/bench_many.ko")"
row "shadows" "$shadows" '' at-least 9000
row "weave and unweave, everything: shadows per second" \
	"$(per_second "$shadows" "$weave" "$unweave")" '' at-least 20000
row "the first weave, which decodes the functions" "$first" ms
row "another weave, everything" "$weave" ms
row "  of it the requests that read text" "$text" ms
row "  of it the request that weaves (with its checks)" "$weaving" ms
row "unweave, everything (grace periods included)" "$unweave" ms
row "  of it the request that unweaves" "$unweaving" ms
row "  of it the requests that ask whether it is over" "$list" ms
row "shadows per second, the two requests alone" \
	"$(per_second "$shadows" "$weaving" "$unweaving")" ''
read -r _ weave unweave _ <<<"$(weave-rate --optimized 3 "$O/vm/aspects/bench_many.ko")"
row "weave until all splices are optimized" "$weave" ms
row "unweave them then" "$unweave" ms

# Prints where the time of a weave and of an unweave goes: the kernel's function profiler adds up
# the time in those kernel functions that weft.ko calls.
for name in text_poke text_poke_queue text_poke_finish text_poke_sync set_memory_ro set_memory_x \
	ftrace_text_reserved jump_label_text_reserved alternatives_text_reserved \
	static_call_text_reserved within_kprobe_blacklist; do
	grep -w -m 1 $name $tracing/available_filter_functions || true
done >/tmp/functions
tr '\n' ' ' </tmp/functions >$tracing/set_ftrace_filter
echo 1 >$tracing/function_profile_enabled
weave-rate 1 "$O/vm/aspects/bench_many.ko" >/dev/null
echo 0 >$tracing/function_profile_enabled
echo >$tracing/set_ftrace_filter
cat $tracing/trace_stat/function* | awk '$2 ~ /^[0-9]+$/ { hits[$1] += $2; time[$1] += $3 }
	END { for (name in hits)
		printf "%12.1f ms %8d calls  %s\n", time[name] / 1000, hits[name], name }' |
	sort -rn

rmmod weft
echo 0 >/proc/sys/debug/kprobes-optimization
insmod "$rivals" kind=many count=1000
read -r n _ registering _ unregistering <<<"$(said many)"
rmmod rivals
row "kprobes registered per second (not optimised), of $n" \
	"$(rate "$n" "$((registering / 1000000 + 1))")" ''
row "kprobes unregistered per second, in one batch" \
	"$(rate "$n" "$((unregistering / 1000000 + 1))")" ''
end
