#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares `weft drill` with ftrace's function_graph tracer in the same run. Both must have the same
# chains of callers, each with the same number of calls, and times that agree. The aspects of `weft
# drill` are compiled on the host (tests/vm/oneliners.txt).
. "$(dirname "$0")/lib.sh"
load_weft
kernel-text /tmp/before >/dev/null
take_cache
questions=tests/vm/oneliners.txt
cp /bin/bash /tmp/worker
cat >/tmp/work <<'END'
for ((i = 0; i < 60; i++)); do : </etc/hostname; : >/tmp/made$RANDOM.$i; : </tmp/missing; done
END
# The tracer is on between the two writes to tracing_on, and so sees only what the worker does.
cat >/tmp/traced <<END
echo 1 >$tracing/tracing_on
/tmp/worker /tmp/work 2>/dev/null
echo 0 >$tracing/tracing_on
END
echo nop >$tracing/current_tracer
echo 0 >$tracing/tracing_on
echo 20000 >$tracing/buffer_size_kb
echo do_sys_openat2 >$tracing/set_graph_function
echo 4 >$tracing/max_graph_depth
echo function_graph >$tracing/current_tracer
for option in funcgraph-proc funcgraph-tail nofuncgraph-irqs; do
	echo $option >$tracing/trace_options
done

# Writes "CALLER CALLEE" to /tmp/named for each call that an instruction of CALLER makes by name.
for function in do_sys_openat2 do_filp_open path_openat link_path_walk.part.0.constprop.0; do
	weft points --json $function%calls | sed -nE "s/.*\"callq ([^\"]*)\".*/$function \1/p"
done >/tmp/named
# compare.py JSON TRACE CLOCK: prints "WAY COUNT NS COUNT NS" for each way, a chain of callers that
# begins at the drilled function. The first count and time are weft's, the second the tracer's. Left
# out are ways on which weft could not time some call, ways that the tracer cannot trace, and ways
# that only the tracer has and that no instruction calls by name: interrupts, and calls by a pointer
# that weft could not time.
cat >/tmp/compare.py <<'END'
import json, re, sys
drill = json.load(open(sys.argv[1]))
clock = sys.argv[3]
calls, ways, ours = drill["calls"], [], {}
for call in calls:
    way = (ways[call["caller"]] if "caller" in call else ()) + (call["function"],)
    ways.append(way)
    count, time = ours.get(way, (0, 0))
    ours[way] = (count + call["count"], time + call[clock])
untimed = {(site["site"].split("+")[0], site.get("function")) for site in drill["untimed"]}
into = set(drill["into"])
theirs, stacks = {}, {}
line = re.compile(r"^ *\d+\) +(\S+)-(\d+) +\| +(?:[^ 0-9]+ +)?(?:([\d.]+) us +)?\| +(.*)$")
for text in open(sys.argv[2]):
    match = line.match(text)
    if not match or not match[1].startswith("worker"):
        continue
    _, pid, took, what = match.groups()
    stack = stacks.setdefault(pid, [])
    name = re.match(r"([\w.]+)\(\)", what)
    if what.endswith("{"):
        stack.append(name[1])
        continue
    if what.startswith("}"):
        way = tuple(stack)
        stack and stack.pop()
    else:
        way = tuple(stack) + (name[1],)
    count, time = theirs.get(way, (0, 0))
    theirs[way] = (count + 1, time + float(took or 0) * 1000)
named = {tuple(text.split()) for text in open("/tmp/named")}
traced = {text.split()[0] for text in open("/sys/kernel/tracing/available_filter_functions")}
def is_known(way):
    return (all(a in into and (a, b) not in untimed for a, b in zip(way, way[1:])) and
            traced.issuperset(way) and (way in ours or way[-2:] in named))
for way in sorted(set(ours) | set(theirs)):
    if 1 < len(way) <= drill["depth"] + 1 and way[0] == drill["drill"] and is_known(way):
        print(">".join(way), *map(int, ours.get(way, (0, 0)) + theirs.get(way, (0, 0))))
END
compare() { python3 -S /tmp/compare.py /tmp/drill.json /tmp/trace "$1" >/tmp/both; }
# counted NAME: weft and the tracer must have the same chains of callers, each with as many calls.
counted() {
	at_least "$1: ways" "$(wc -l </tmp/both)" 12
	same "$1: as many calls on each way" "$(awk '{ print $1, $2 }' /tmp/both)" \
		"$(awk '{ print $1, $4 }' /tmp/both)"
}
# timed CLOCK US: compares the times. What weft measures for a call contains the time of the
# function and the work that the tracer does for this call. So no way may take less time than the
# tracer says, and the excess may be at most US microseconds for each call. An interrupt may prolong
# a few calls, so the upper limit has to hold for only 80 of 100 ways.
timed() {
	same "$1: no call is shorter than its function" "$(awk '$3 < $5' /tmp/both)" ""
	at_least "$1: nor longer by more than $2 us, of 100 ways" \
		"$(awk -v m="$2" '{ n += $3 <= $5 + $4 * m * 1000 }
			END { print int(100 * n / NR) }' /tmp/both)" 80 "$(head -40 /tmp/both)"
}

# ---- functions that are drilled by name are measured in one run ----

: >$tracing/trace
asks drilled --json -o /tmp/drill.json -- sh /tmp/traced >/tmp/out 2>/tmp/said
same "it ends as the command does" $? 0
cat $tracing/trace >/tmp/trace
compare wall_ns
counted "by the clock"
timed "by the clock" 300
check "below the third level nothing is shown" \
	bash -c '! grep -qE "\"level\":[4-9]" /tmp/drill.json'
echo nosleep-time >$tracing/trace_options
: >$tracing/trace
asks drilled --json -o /tmp/drill.json -- sh /tmp/traced >/tmp/out 2>/tmp/said
cat $tracing/trace >/tmp/trace
echo sleep-time >$tracing/trace_options
compare cpu_ns
counted "on a CPU"
timed "on a CPU" 300
echo nop >$tracing/current_tracer

# ---- the drill's tree as text, and its page ----

asks drilled --top 0 --html /tmp/page.html -- /tmp/worker /tmp/work >/tmp/out 2>/tmp/found
same "the tree is on standard error, the command's output its own" "$(cat /tmp/out)" ""
# share FUNCTION: prints the share in the function's first line of the tree, in tenths of a percent.
share() {
	awk -v f="$1" '{ for (i = 9; i <= NF; i++) if ($i == f) { print $3 * 10; exit } }' \
		/tmp/found
}
same "the whole is all of it" "$(share do_sys_openat2)" 1000
between "and its calls parts of that" "$(share path_openat)" 1 "$(share do_filp_open)"
check "what cannot be timed is listed, with its reason" \
	grep -qE '^  [a-z_]+ at [a-z_0-9]+\+0x[0-9a-f]+ \([a-z/]+\.[ch]:[0-9]+\): no-end$' \
	/tmp/found
check "and the reason explained" grep -q "^  no-end: its end is not a single address" /tmp/found
same "with the place in the source, as weft points has it" \
	"$(sed -nE 's/.*  do_filp_open  (.*)/\1/p' /tmp/found)" \
	"$(weft points --json do_sys_openat2%calls |
		sed -nE 's/.*"file":"([^"]*)","line":([0-9]*).*callq do_filp_open".*/\1:\2/p')"
check "a call by a pointer has the function that was called" \
	grep -qE ' shmem_create  fs/namei.c:[0-9]+ in lookup_open, by a pointer$' /tmp/found
check "the page has the calls" grep -qF '<section id="drill">' /tmp/page.html
same "as data, too" "$(grep -c '^{"drill":"do_sys_openat2",' /tmp/page.html)" 1

# ---- weft drill goes level by level to where the time is ----

asks level1 --least 60 --json -o /tmp/drill.json -- /tmp/worker /tmp/work 2>/tmp/said
same "three levels, one run each" "$(grep -c '^drill_do_sys_openat2 unwoven' /tmp/said)" 3
same "each goes into what holds the time" "$(grep '^into' /tmp/said)" \
	$'into do_filp_open\ninto do_filp_open, path_openat'
same "to the third level" "$(grep -o '"level":[0-9]' /tmp/drill.json | sort -u | tail -n 1)" \
	'"level":3'
asks flat --quiet -- /tmp/worker /tmp/work 2>/tmp/found
same "one level is one run" "$(grep -cE '^ .* %  .*  (do_filp_open|getname) ' /tmp/found)" 2
asks flat --least 60 --for 300ms --quiet >/tmp/found &
sleep 0.1
wait $!
same "for a time, and nobody has called" \
	"$(awk '/do_sys_openat2$/ { print $1, $(NF - 1) }' /tmp/found)" "0 0"
asks flat -- sh -c 'exit 7' >/dev/null 2>&1
same "the command's status" $? 7
refuses "no such function" 5 "did you mean do_sys_openat2" weft drill do_sys_openat3 -- true
refuses "a function that makes no calls" 5 "'mntget' has no callsite" weft drill mntget -- true
same "nothing is woven" "$(weft list)" "no aspects"
check "the text is what it was" restored
check "weft.ko unloads" rmmod weft
finish
