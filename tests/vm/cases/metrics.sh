#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares metrics with what a program reports that it did in the same run, on two CPUs. Counts,
# sums and histograms must be equal; elapsed times must lie between what the program measured inside
# and outside of its calls; hits without a free row must be counted. With slub_debug the kernel's
# allocator writes a pattern around and into pieces of memory and checks it later, so an access by
# weft.ko outside of its own memory shows.
# vm.sh: --append slub_debug=FZPU
. "$(dirname "$0")/lib.sh"
load_weft

check "weave" weft weave "$aspects/metrics.ko"
measured reads >/tmp/reads
measured pairs >/tmp/pairs
measured sleep >/tmp/sleep
weft report --json metrics >"$json"
check "as text" weft report metrics
same "as JSON: an object a line" "$(objects <"$json")" "$(wc -l <"$json")"
same "weft list as JSON" "$(weft list --json | objects)" 1

read -r _ count bytes < <(grep sum /tmp/reads)
same "counter by comm" "$(row reads reader | value count)" "$count"
same "counter by cpu, one" "$(row 'reads by cpu' 0 | value count)" $((count / 2))
same "counter by cpu, the other" "$(row 'reads by cpu' 1 | value count)" $((count / 2))
same "sum" "$(row asked reader | value sum)" "$bytes"
same "histogram: sum" "$(metric sizes | value sum)" "$bytes"
same "histogram: buckets" \
	"$(metric sizes | sed 's/.*"buckets":\[\(.*\)\].*/\1/' |
		grep -o '[0-9]*,[0-9]*,[0-9]*' | tr ',' ' ')" \
	"$(grep -v sum /tmp/reads)"
same "linear histogram" "$(metric steps | grep -o '"buckets":.*\]\]')" \
	'"buckets":[[null,101,200],[101,201,200],[201,null,200]]'
same "rows that there is room for" "$(metric 'few rows' | grep -o '"key":"[0-9]*"' | wc -l)" 4
counted=$(metric 'few rows' | grep -o '"count":[0-9]*' | cut -d: -f2 | paste -sd+)
same "hits of the others are counted together" "$(($counted))" "$count"
same "the text says so" \
	"$(weft report metrics | grep -c 'NOT KEPT: the table of 4 keys was full')" 1

same "nested pairs: the inner ones" "$(row nested vfs_read | value count)" "$count"
same "nested pairs: the outer ones" "$(row nested ksys_read | value count)" "$count"
between "the inner are shorter" \
	"$(row nested vfs_read | value sum)" 1 "$(row nested ksys_read | value sum)"
same "of a function" "$(row whole reader | value count)" "$count"
same "of a call" "$(row called reader | value count)" "$count"
between "a call takes longer than what is called" "$(row called reader | value sum)" \
	"$(row nested vfs_read | value sum)" "$(row nested ksys_read | value sum)"
same "of calls through a member, by target" "$(row 'by target' read_zero | value count)" "$count"
# A call that was under way when the aspect was woven ends without a start.
between "few ends without a start" "$(metric called | value unmatched)" 0 5
while read -r fd count inner outer; do
	same "interleaved pairs: count of $fd" "$(row interleaved "$fd" | value count)" "$count"
	between "interleaved pairs: time of $fd" \
		"$(row interleaved "$fd" | value sum)" "$inner" "$outer"
done </tmp/pairs
same "starts without room are counted" \
	"$(($(metric 'few pairs' | value open) + $(metric 'few pairs' | value dropped) +
		$(metric 'few pairs' | value count)))" "$(metric opens | value count)"
between "and there were some" "$(metric 'few pairs' | value dropped)" 1 100000

read -r _ wall _ cpu </tmp/sleep
same "sleeps" "$(metric asleep | value count)" 20
between "asleep" "$(metric asleep | value sum)" 60000000 "$wall"
same "not asleep: pairs" "$(metric 'not asleep' | value count)" 20
between "not asleep: no more than the thread's CPU time" \
	"$(metric 'not asleep' | value sum)" 1000 "$cpu"
# The metrics sleepers and asleep read their clocks at different moments. A busy machine may stall
# between the two, so the sums may differ by milliseconds. Both lie within what the program
# measured.
slept=$(metric sleepers | value sum) woven=$(metric sleepers | value woven_ns)
same "concurrency: sleeps" "$(metric sleepers | value count)" 20
between "concurrency: time" "$slept" 60000000 "$wall"
average=$(metric sleepers | sed 's/.*"average":\([0-9.]*\).*/\1/')
same "concurrency: the average is the sum over the time that it was woven" "$average" \
	"$(awk -v s="$slept" -v w="$woven" 'BEGIN { printf "%.6f", s / w }')"
for name in whole called 'by target' nested interleaved asleep 'not asleep' sleepers; do
	same "$name: nothing without room" \
		"$(metric "$name" | value dropped) $(metric "$name" | value full)" "0 0"
done
same "sleeps: nothing unmatched" \
	"$(metric asleep | value unmatched) $(metric asleep | value open)" "0 0"

# The page must be correct HTML, and XPath queries must find the same values in it as in the JSON.
check "as a page" weft report --html /tmp/page.html metrics
page_data() { sed -n '/id="weft-data">$/,/^<\/script>/p' /tmp/page.html; }
page() { xmllint --html --xpath "$1" /tmp/page.html 2>/dev/null; }
same "sound HTML" \
	"$(xmllint --html --noout /tmp/page.html 2>&1 | grep error |
		grep -vE 'Tag (header|main|section|details|summary|footer) invalid')" ""
same "the page has a section for each metric, and the summary" \
	"$(page 'count(//section[h2])')" "$(($(wc -l <"$json") + 1))"
same "a table for each metric that has counted" \
	"$(page 'count(//section[@class = "metric"][.//table])')" \
	"$(grep -c '"rows":\[{' "$json")"
same "its script draws plots of the metrics that the JSON has" \
	"$(page_data | grep -o '"metric":.*"unit"')" "$(grep -o '"metric":.*"unit"' "$json")"
check "the joinpoints are there, with their places" \
	bash -c 'grep -q "<td>fs/[a-z_]*.c:[0-9]*</td>" /tmp/page.html'
linked='//@src|//@href|//@*[name() = "xlink:href"]'
linked+='|//link|//iframe|//img|//object|//image|//use'
same "it needs nothing else" "$(page "count($linked)")" 0
check "nor its style" bash -c '! grep -E "@import|url\(" /tmp/page.html'
summary='//section[h2 = "Summary"]//table[not(.//th = "hits")]//td'
same "its summary adds up" "$(page "${summary}[1] = sum(${summary}[position() > 1])")" true
same "to the splices there are" \
	"$(page "string(${summary}[1] - ${summary}[6])")" "$(figure metrics splices)"
weft report --watch metrics >/tmp/watched &
twice() { [ "$(grep -c '^opens' /tmp/watched)" -ge 2 ]; }
check "again and again" await twice
kill -INT $!
wait $!
# On a terminal, --watch must use the alternate screen, cut its output to the terminal's size, and
# restore the screen at ^C.
script -qec "stty rows 12 cols 60; LC_ALL=C weft report --watch --top 2 metrics" \
	/tmp/typescript >/dev/null </dev/null &
shown() { [ "$(grep -ca '^.*opens' /tmp/typescript)" -ge 2 ]; }
check "the view in place" await shown
pid=$(pgrep -f '^weft report --watch --top 2')
kill -INT "$pid"
wait $!
same "the screen is given back, with its cursor" \
	"$(grep -aoE '\?(1049|25)[hl]' /tmp/typescript | paste -sd' ')" '?1049h ?25l ?25h ?1049l'
same "no line is longer than the terminal is wide" \
	"$(sed '/1049l/,$d; s/\x1b\[H/\n/g; s/\x1b\[[?0-9]*[A-Za-z]//g; s/\r//g' /tmp/typescript |
		awk 'NR > 2 && length($0) > 60' | wc -l)" 0
keys() {
	weft report "$@" metrics | sed -n '/^reads$/,/^$/p' | awk 'NR > 2 && NF == 2 { print $1 }'
}
sorted=$(keys --sort key)
same "rows by another column" "$sorted" "$(LC_ALL=C sort <<<"$sorted")"
refuses "a column that is not there" 2 "no metric of metrics has a column 'p98'" \
	weft report --sort p98 metrics
refuses "two forms at once" 2 'exclude each other' weft report --html /tmp/page.html --json metrics
same "a full disk is told of" "$(weft report metrics 2>&1 >/dev/full)" \
	"weft: the output cannot be written: No space left on device"
check "unweave" weft unweave metrics
weft report --json metrics >/tmp/after
same "readable afterwards" "$(grep -F '"metric":"sizes"' /tmp/after | grep -o '"rows".*')" \
	"$(metric sizes | grep -o '"rows".*')"
same "the names, too" "$(grep -F '"metric":"nested"' /tmp/after | grep -o '"rows".*')" \
	"$(metric nested | grep -o '"rows".*')"
same "it is there still" "$(state metrics)" gone
check "forgotten" weft report --reset metrics
refuses "then it is not known" 10 'no aspect metrics' weft report metrics
check "weave again" weft weave "$aspects/metrics.ko"
measured reads >/dev/null
check "reset" weft report --reset metrics
measured reads >/dev/null
weft report --json metrics >"$json"
same "counts from the reset on" \
	"$(row reads reader | value count)" "$(grep sum /tmp/reads | cut -d' ' -f2)"
check "unweave" weft unweave metrics
check "an aspect without metrics" weft weave "$aspects/entry_first.ko"
refuses "has no report" 10 'has no metrics' weft report entry_first
for ((i = 0; i < 3; i++)); do
	check "seven metrics come" insmod "$aspects/metrics_seven.ko"
	check "and go" rmmod metrics_seven
	weft report --reset metrics_seven >/dev/null
done
# weft refuses a function's exit that has a kprobe, so pairs that would end at that exit stay open.
exit=$(weft points --json 'vfs_read%exit' |
	sed -nE 's/.*"symbol":"([^"]*)","offset":([0-9]*).*/\1 \2/p')
same "vfs_read has one exit" "$(wc -l <<<"$exit")" 1
printf 'p:weft_test/exit %s+%#x\n' $exit >$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
ends=$(for f in vfs_read ksys_read; do weft points --json "$f%exit"; done | grep -c '"kind":"exit"')
weft weave "$aspects/metrics.ko" >/tmp/summary
measured reads >/dev/null
weft report --json metrics >"$json"
weft report metrics >/tmp/report
weft report --html /tmp/page.html metrics
same "which ends are refused is said" \
	"$(metric nested | value ends_refused) of $(metric nested | value ends)" "1 of $ends"
same "at the weave" "$(grep -F '  nested does not see' /tmp/summary)" \
	"  nested does not see ends at 1 of $ends shadows"
same "of all that want it" \
	"$(sed -n 's/^  \(.*\) does not see ends at.*/\1/p' /tmp/summary | tr '\n' ,)" \
	"nested,whole,few pairs,"
same "in the report" \
	"$(sed -n '/^whole/,/^$/s/^  NOT SEEN: //p' /tmp/report)" "ends at 1 of 1 shadow"
only_ends="[contains(., 'ends at 1 of')][not(contains(., 'starts at'))]"
same "on the page" "$(page "count(//p[@class = 'lost']$only_ends)")" 3
check "its pairs stay open" [ "$(metric whole | value open)" -gt 0 ]
same "what sees all says nothing" "$(sed -n '/^opens/,/^$/p' /tmp/report | grep -c 'NOT SEEN')" 0
check "unweave" weft unweave metrics
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
# A counter with a condition is a C function that counts by itself. A hit must not be counted twice.
weft weave "$aspects/conditional.ko" >/dev/null
sync; sync; sync
weft report --json conditional >"$json"
same "a counter with a condition: counted, hits" \
	"$(metric syncs | value count) $(figure conditional hits)" "3 3"
check "the end" weft unweave --all
finish
