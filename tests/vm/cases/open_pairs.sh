#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests which starts of pairs still wait for their end, compared with what /proc says. Pairs of open
# files have the struct file as their key, and pairs of sleeping tasks have the task. The case fails
# if a start that should wait is missing, if one waits that should not, or if its place or its age
# is wrong.
. "$(dirname "$0")/lib.sh"
load_weft
cp /bin/bash /tmp/holder
check "weave" weft weave "$aspects/open_pairs.ko"

# waiting METRIC: prints "KEY WHERE KEYS..." for each start that waits, the oldest first. The key of
# a task is COMM-TID.
waiting() {
	weft report --json open_pairs >"$json"
	metric "$1" | python3 -c 'import json, sys
for pair in json.loads(sys.stdin.read()).get("open_pairs", []):
    key = "%s-%s" % (pair["comm"], pair["tid"]) if "tid" in pair else pair.get("key", "ended")
    keys = " ".join(k.split("\n")[0] for k in pair.get("keys", []))
    print(key, pair.get("where", "-"), keys)'
}

# ---- open files, which are opened at several joinpoints ----

mkfifo /tmp/gate
/tmp/holder -c 'for i in 10 11 12 13 14 15 16; do eval "exec $i</etc/hostname"; done
	read </tmp/gate' &
holder=$!
held() { [ "$(ls -l /proc/$holder/fd | grep -c /etc/hostname)" = 7 ]; }
check "seven files are open" await held
opened() { [ "$(waiting files | grep -c ' holder ')" -ge 7 ]; }
check "and weft knows of them" await opened
# Computes how many files the shell holds. Besides the seven files it holds the fifo, whose open
# waits for a writer: weft has noted the start of that pair already. The root file system is an
# overlay. There an open file holds a second file in the layer below, while a mapping holds only
# that second file. The mapped files are libraries; the program and the dynamic linker do not count
# here, since the task was still named bash when they were opened.
mapped=$(awk '$6 ~ /^\// { print $6 }' /proc/$holder/maps | sort -u | grep -cvE '/holder$|/ld-')
# called_by FUNCTION: prints the call of do_dentry_open() in FUNCTION, as SYMBOL+OFFSET by `weft
# points`.
called_by() {
	weft points --json do_dentry_open%callers |
		sed -nE 's/.*"symbol":"('$1')","offset":([0-9]*).*/\1 \2/p' | xargs printf '%s+%#x'
}
same "as many starts wait as files are held, by the place where they started" \
	"$(waiting files | awk '$3 == "holder" { print $2 }' | sort | uniq -c | xargs)" \
	"$((7 + mapped)) $(called_by open_with_fake_path) $((7 + 1)) $(called_by vfs_open)"
same "each has a key of its own" "$(waiting files | awk '{ print $1 }' | sort | uniq -d)" ""
weft report open_pairs >/tmp/report
weft report --open open_pairs >/tmp/all
rows() { sed -n '/^files/,/^asleep/p' "$1" | grep -cE '^    0x[0-9a-f]{16} '; }
same "the report shows the five oldest" "$(rows /tmp/report)" 5
same "and how many more" \
	"$(sed -nE 's/^    \(([0-9]*) more; --open shows all\)/\1/p' /tmp/report)" \
	$(($(rows /tmp/all) - 5))
at_least "--open shows all" "$(rows /tmp/all)" 8
check "with the stack" grep -qE '^        do_sys_openat2\+0x' /tmp/all
echo >/tmp/gate
wait $holder
same "when the program has ended none waits" "$(waiting files | grep -c ' holder ')" 0

# ---- sleeping tasks are starts that wait ----

read -r before _ </proc/uptime
sleep 1000 &
sleeper=$!
asleep() { [ "$(waiting asleep)" != "" ]; }
check "one sleeps" await asleep
read -r after _ </proc/uptime
same "who, and where" "$(waiting asleep)" "sleep-$sleeper hrtimer_nanosleep+0x5 "
since=$(metric asleep | value since_ns)
between "since when" $((since / 10000000)) "${before/./}" "${after/./}"
at_least "for how long, as the time that has passed, in 10 ms" \
	"$(($(metric asleep | value age_ns) / 10000000))" \
	$((10#${after/./} - since / 10000000 - 1))
same "by the CPU's clock it has not been long" \
	"$(metric 'asleep on a CPU' | value age_ns | awk '{ print ($1 < 100000000) }')" 1
same "a start whose condition does not hold is not there" "$(waiting 'holder alone')" ""
same "the text has it" \
	"$(weft report open_pairs | grep -cE "^    sleep-$sleeper +[0-9]+\.[0-9]{9} ")" 2
kill $sleeper
wait $sleeper 2>/dev/null
# A task that is killed while it sleeps returns from the sleeping function, which ends its pair.
same "killed: it does not wait any more" "$(waiting asleep)" ""

# ---- an exec by a thread that is not the first ----

# The kernel gives such a thread the first one's ids and start time while the pair is open.
cat >/tmp/thread.py <<'END'
import ctypes, os, threading
def become():
    ctypes.CDLL(None).prctl(15, b'Python', 0, 0, 0)
    os.execv('/bin/true', ['true'])
threading.Thread(target=become).start()
threading.Event().wait()
END
for i in 1 2 3 4 5; do python3 -S /tmp/thread.py || fail "exec" "round $i: $?"; done
weft report --json open_pairs >"$json"
same "pairs of tasks end where a thread has called exec" "$(metric execs | value count)" 5
same "and none waits" "$(waiting execs)" ""

check "unweave" weft unweave open_pairs
check "weft.ko unloads" bash -c 'weft report --reset open_pairs && rmmod weft'
finish
