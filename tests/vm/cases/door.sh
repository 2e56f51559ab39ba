#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests /dev/weft-read, which every user may open: which users see which records of a published
# aspect, if programs gain and lose rights, if pids are used again, and if users ask for records
# that are not theirs.
. "$(dirname "$0")/lib.sh"
load_weft
mkdir -p /tmp/plain /tmp/setuid
cp "$programs/marks" /tmp/plain/marks
cp "$programs/marks" /tmp/setuid/marks
chmod 755 /tmp/plain/marks
chmod 4755 /tmp/setuid/marks
plain=/tmp/plain/marks setuid=/tmp/setuid/marks

# as USER COMMAND...: runs COMMAND as that user, always on CPU 0: there the writer of records might
# take each task for the one before it.
as() { setpriv --reuid "$1" --regid "$1" --clear-groups taskset -c 0 "${@:2}"; }
# marks_of COMMAND...: prints the numbers in the records that COMMAND, a `weft read`, shows; each
# number once.
marks_of() {
	"$@" 2>/dev/null | sed -nE 's/.*(odd|even|named|below) mark ([0-9]+).*/\2/p' | uniq | xargs
}
reads() { marks_of as "$1" weft read door "${@:2}"; }

refuses "no aspect, for a user" 10 'no aspect door whose records you may read' \
	as 1001 weft read door
insmod "$aspects/door.ko"
weft weave "$aspects/door.ko" >/dev/null
as 1001 "$plain" 2
refuses "one that is not published is as none" 10 'no aspect door whose records you may read' \
	as 1001 weft read door
refuses "a user publishes nothing" 8 'needs root' as 1001 weft publish door
refuses "and weaves nothing" 8 'needs root' as 1001 weft unweave door
check "root publishes" weft publish door
check "weft list shows it" bash -c 'weft list | grep -q "published: users read what their"'
check "and so as JSON" bash -c 'weft list --json | grep -q "\"published\":true"'

same "what was written before is not published" "$(reads 1001)" ""
as 1001 "$plain" 4 5
as 1002 "$plain" 6
"$plain" 8
same "a user sees what is theirs" "$(reads 1001)" "4 5"
same "and another what is theirs" "$(reads 1002)" 6
same "root sees all" "$(marks_of weft read --beside door)" "2 4 5 6 8"
same "who asks for another's process gets nothing" \
	"$(as 1001 weft read door --pid 1 2>&1 | grep -c 'no process 1 of yours')" 1
same "and the same for a process that there is not" \
	"$(as 1001 weft read door --pid 4194000 2>&1 | sed 's/4194000/1/')" \
	"$(as 1001 weft read door --pid 1 2>&1)"

# Checks that users see only hashed addresses.
text=$(as 1001 weft read door | grep -m 1 'even mark 4 ')
same "addresses are hashed" "$(grep -c 'ffff[0-9a-f]\{12\}' <<<"$text")" 0
same "and so are symbols" "$(grep -c 'schedule' <<<"$text")" 0
same "root reads them as the format asks" \
	"$(weft read --json door | grep -c 'even mark 4 of ffff[0-9a-f]\{12\} ')" 3

# A task has a name that looks like the end of one value and the beginning of another
# (runtime/value-marks.h).
as 1001 "$plain" named $'x\002\001' 90001
same "a task's own text shows no address" \
	"$(as 1001 weft read door | grep 'named mark' | grep -c 'ffff[0-9a-f]\{12\}')" 0
same "which root sees" "$(weft read door | grep 'named mark' | grep -c 'ffff[0-9a-f]\{12\}')" 3

# Tests programs that gain rights and lose them. All of them have the same name.
as 1001 "$plain" 10 exec $setuid 11 drop 12 forget 13 exec $plain 14
same "what a set-user-ID program writes is not the user's, until the next exec" \
	"$(reads 1001 | sed 's/.* 10/10/')" "10 14"
as 1001 "$plain" 20 exec $setuid 21 exec $plain 22
same "nor is what it runs" "$(reads 1001 | sed 's/.* 20/20/')" 20
as 1001 "$plain" 30 hide 31
same "nor what a task writes that lets nobody look into it" \
	"$(reads 1001 | sed 's/.* 30/30/')" 30
cp "$plain" /tmp/setuid/marks-capable
setcap cap_net_raw+ep /tmp/setuid/marks-capable 2>/dev/null &&
	as 1001 "$plain" 40 exec /tmp/setuid/marks-capable 41
same "nor what a program with capabilities writes" \
	"$(reads 1001 | sed 's/.* 40/40/')" "$(getcap /tmp/setuid/marks-capable | grep -q cap &&
		echo 40 || reads 1001)"
setpriv --reuid 1001 --regid 1001 --clear-groups --inh-caps +net_raw --ambient-caps +net_raw \
	taskset -c 0 "$plain" 42
same "nor with ambient ones" "$(reads 1001 | grep -cw 42)" 0
cp "$plain" /tmp/setuid/marks-group
chown 0:7 /tmp/setuid/marks-group
chmod 2755 /tmp/setuid/marks-group
as 1001 "$plain" 44 exec /tmp/setuid/marks-group 45
same "nor a set-group-ID one" "$(reads 1001 | sed 's/.* 44/44/')" 44

# Tests programs whose pid, name and user stay the same when they gain rights, and whose memory says
# that others may still look into them.
check "a program has capabilities" setcap cap_net_raw+eip /tmp/setuid/marks-capable
as 1001 "$plain" 46 exec /tmp/setuid/marks-capable ambient exec "$plain" 47
same "nor what a program writes whose exec() has kept capabilities" \
	"$(reads 1001 | sed 's/.* 46/46/')" 46
as 1001 "$plain" 48 exec $setuid show 49
same "nor a set-user-ID program that lets others look into it" \
	"$(reads 1001 | sed 's/.* 48/48/')" 48
echo 1 >/proc/sys/fs/suid_dumpable
as 1001 "$plain" 52 exec $setuid 53 drop 54
cp -p $setuid /tmp/setuid/marks-noted
as 1001 "$plain" 55 exec /tmp/setuid/marks-noted 66
echo 0 >/proc/sys/fs/suid_dumpable
same "nor one where all may be looked into" "$(reads 1001 | sed 's/.* 52/52/')" "52 55"
pid=$(as 1001 bash -c "echo \$BASHPID; exec $plain 56")
check "a program with capabilities gets a pid" \
	taskset -c 0 view-requests again "$pid" 1001 /tmp/setuid/marks-capable ambient \
	exec "$plain" 57
same "its records are not the one's that had it before" \
	"$(reads 1001 | sed 's/.* 56/56/')" 56
at_least "root has read all of them" \
	"$(weft read door | grep -cE 'mark (47|49|53|54|57|66)( |$)')" 18

# A task of another user gets the pid of a task that has ended, and takes its name.
pid=$(as 1001 bash -c "echo \$BASHPID; exec $plain 50")
check "another user's task gets it" taskset -c 0 view-requests again "$pid" 1002 "$plain" 51
same "a pid that is used again does not make records another's" \
	"$(reads 1001 | sed 's/.* 50/50/')" 50
same "they are whose they are" "$(reads 1002)" 51

# A file system (overlayfs) reads with the rights of the user who has mounted it, in a task of root.
mkdir -p /tmp/lower1 /tmp/lower2 /tmp/merged
truncate -s 700000 /tmp/lower1/file
as 1002 unshare -Urm bash -c '
	mount -t overlay -o lowerdir=/tmp/lower1:/tmp/lower2 none /tmp/merged && : >/tmp/mounted
	sleep 1000' &
await test -e /tmp/mounted
mounter=$(pgrep -u 1002 -x sleep)
taskset -c 0 "$plain" file "/proc/$mounter/root/tmp/merged/file" 58
kill $mounter
same "what root reads there is not the user's" "$(reads 1002 | tr ' ' '\n' | grep -cx 58)" 0
at_least "it was read as that user" "$(weft read --beside door | grep -c 'below mark 58')" 3

# Tests user namespaces.
echo 1 >/proc/sys/kernel/unprivileged_userns_clone 2>/dev/null
refuses "from a user namespace nobody opens it" 8 'not from a user or pid namespace' \
	as 1002 unshare -Ur weft read door
refuses "nor in a pid namespace, where a pid is another" 8 'not from a user or pid namespace' \
	unshare -p -f setpriv --reuid 1002 --regid 1002 --clear-groups weft read door
as 1001 "$plain" 60 namespace 61
as 1001 unshare -U "$plain" 62
same "a task in a namespace of the user's own is theirs" \
	"$(reads 1001 | sed 's/.* 60/60/')" "60 61 62"
same "and not another's" "$(reads 1002)" 51

# Tests records of an interrupt that has interrupted a task of the user.
insmod "$aspects/door_packets.ko"
weft weave "$aspects/door_packets.ko" >/dev/null
as 1001 traffic 1 >/dev/null
weft publish door_packets
as 1001 traffic 3 >/dev/null
as 1001 weft read door_packets >/tmp/theirs
weft read --beside door_packets >/tmp/all
at_least "there are records of interrupts" "$(grep -c 'traffic.*in an interrupt: 1' /tmp/all)" 3
at_least "a user sees what their task sends" "$(grep -c 'in an interrupt: 0' /tmp/theirs)" 3
same "and nothing of interrupts" "$(grep -c 'in an interrupt: 1' /tmp/theirs)" 0
weft unweave door_packets >/dev/null

# Tests records of tasks that have no memory, not even a borrowed one.
insmod "$aspects/door_switch.ko"
weft weave "$aspects/door_switch.ko" >/dev/null
taskset -c 1 sleep 0.5
as 1001 "$plain" 64
weft unweave door_switch >/dev/null
at_least "a thread without memory has records" \
	"$(weft read door_switch | grep -c 'without memory')" 3

# Tests quotas, and file descriptors that are passed to other processes.
check "a user has as many readers as they may" as 1001 view-requests quota door 8
same "and then none is left over" "$(figure door readers)" 0
check "a file reads for whoever has opened it" as 1001 view-requests handed door
check "a reader may be killed anywhere" as 1001 view-requests killed door
same "and leaves nothing" "$(figure door readers)" 0

# Tests publishing for a group.
check "a group may be given all" weft publish --group 7 door
"$plain" 70
as 1002 "$plain" 71
same "its members read all" \
	"$(marks_of setpriv --reuid 1001 --regid 1001 --groups 7 weft read door)" "70 71"
same "others do not" "$(reads 1002)" 71
same "nor does root's publishing anew open what was before" "$(reads 1001)" ""

# Sends requests of all kinds with random changes.
as 1001 "$plain" 72
verdicts as 1001 view-requests mutated door "${WEFT_REQUESTS:-20000}" "${WEFT_SEED:-1}"

as 1001 weft read --follow door >/dev/null 2>&1 &
follower=$!
await bash -c 'weft list --json | grep -q "\"readers\":1,"'
check "root ends it" weft unpublish door
check "which ends who reads" await bash -c "! kill -0 $follower"
refuses "after which it is as none" 10 'no aspect door' as 1001 weft read door
refuses "once" 10 'is not published' weft unpublish door
weft unweave door >/dev/null
finish
