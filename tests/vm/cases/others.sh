#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests aspects in two programs that others wrote, SQLite and nginx, both compiled with the plugin.
# What weft counts is compared with what the kernel's own uprobes and trace events count in the same
# run, with nginx' log, and with the states that SQLite's documentation says its pager goes through.
#
# aspects: others_sqlite others_nginx
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../breakpoints.sh"
sqlite3=$O/vm/others-built/sqlite3 nginx=$O/vm/others-built/nginx
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
ip link set lo up
load_weft

# symbol PROGRAM NAME: prints the function's place in the program's file.
symbol() { nm "$1" | sed -n "s/^0*\([0-9a-f]*\) [tT] $2$/0x\1/p"; }
# probe EVENT PROGRAM NAME: counts the executions of a function of the program by an uprobe.
probe() {
	echo "p:others/$1 $2:$(symbol "$2" "$3")" >>$tracing/uprobe_events &&
		echo 1 >"$tracing/events/others/$1/enable"
}
probed() { awk -v name="$1" '$2 == name { print $3 }' $tracing/uprobe_profile; }

# ---- SQLite --------------------------------------------------------------------------------------

base=/tmp/others.db
sqlite3 $base "CREATE TABLE t (i, s); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 \
	FROM n WHERE i < 3000) INSERT INTO t SELECT i, hex(zeroblob(100)) FROM n"
probe unix_read "$sqlite3" unixRead
echo 'comm == "sqlite3"' >$tracing/events/syscalls/sys_enter_pread64/filter
echo 1 >$tracing/events/syscalls/sys_enter_pread64/enable
"$sqlite3" -version >/dev/null
loads=$(grep -c 'sys_pread64(' $tracing/trace)
check "weave SQLite" weft weave "$aspects/others_sqlite.ko"
same "it computes the same" "$("$sqlite3" $base 'SELECT count(*), sum(i), sum(length(s)) FROM t')" \
	"3000|4501500|600000"
check "it writes" "$sqlite3" $base 'UPDATE t SET i = i + 1 WHERE i = 3000'
echo 0 >$tracing/events/syscalls/sys_enter_pread64/enable
weft report --json others_sqlite >"$json"
reads=$(metric reads | value count)
at_least "calls through xRead" "$reads" 100
same "as many as calls of unixRead()" "$reads" "$(probed unix_read)"
same "each asks for some bytes" "$(metric amounts | value count)" "$reads"
same "each has gone to the kernel" "$(metric to_the_kernel | value count)" "$reads"
# The program has run once before it was woven, and twice since; each time ld.so reads, too.
same "as often as the trace event of its system call" \
	$(($(grep -c 'sys_pread64(' $tracing/trace) - 3 * loads)) "$reads"
same "and back" "$(metric and_back | value count)" "$reads"
weft read others_sqlite >/tmp/states
at_least "states of the pager" "$(grep -c ': state ' /tmp/states)" 8
# OPEN 0, READER 1, WRITER_LOCKED 2, WRITER_CACHEMOD 3, WRITER_DBMOD 4, WRITER_FINISHED 5; a
# transaction that writes goes from each to the next, and back to READER.
same "only those steps that its documentation has" \
	"$(sed -n 's/.*: state \([0-9]\) to \([0-9]\)$/\1\2/p' /tmp/states |
		grep -vxE '0[01]|1[0-2]|23|34|45|51|0' | head)" ""
for step in 12 23 34 45 51; do
	check "it has made the step ${step:0:1} to ${step:1:1}" \
		grep -q "state ${step:0:1} to ${step:1:1}$" /tmp/states
done
check "unweave" weft unweave others_sqlite
same "without weft it computes the same" "$("$sqlite3" $base 'SELECT sum(i) FROM t')" 4501501

# ---- nginx ---------------------------------------------------------------------------------------

mkdir -p /tmp/nginx/logs /tmp/nginx/files
echo hello >/tmp/nginx/files/index.html
for i in {10..49}; do echo "file $i" >/tmp/nginx/files/$i; done
cat >/tmp/nginx/conf <<END
daemon off; user root; worker_processes 1; pid /tmp/nginx/pid; error_log /tmp/nginx/errors;
events {}
http {
	client_body_temp_path /tmp/nginx/b; proxy_temp_path /tmp/nginx/p;
	fastcgi_temp_path /tmp/nginx/f; uwsgi_temp_path /tmp/nginx/u; scgi_temp_path /tmp/nginx/s;
	access_log /tmp/nginx/served;
	server { listen 127.0.0.1:8080; root /tmp/nginx/files; }
}
END
"$nginx" -p /tmp/nginx -c /tmp/nginx/conf 2>/tmp/nginx/said &
server=$!
# ask FILE: prints the body of the answer.
ask() {
	exec 5<>/dev/tcp/127.0.0.1/8080 || return
	printf 'GET /%s HTTP/1.0\r\n\r\n' "$1" >&5
	sed '1,/^\r$/d' <&5
	exec 5>&-
}
await ask 10 >/dev/null 2>&1 || fail "nginx answers" "$(cat /tmp/nginx/said /tmp/nginx/errors)"
: >/tmp/nginx/served
probe receive "$nginx" ngx_unix_recv
# The worker runs already: its instructions are woven while it waits.
check "weave nginx" weft weave "$aspects/others_nginx.ko"
before=$(probed receive)
for i in {10..49}; do ask $i; done >/tmp/answers
same "it answers" "$(cat /tmp/answers)" "$(for i in {10..49}; do echo "file $i"; done)"
kill -QUIT $server
wait $server
weft report --json others_nginx >"$json"
served=$(wc -l </tmp/nginx/served)
same "nginx has served" "$served" 40
same "weft has seen as many requests" "$(metric requests | value count)" "$served"
same "each was timed" "$(metric request | value count)" "$served"
same "calls through recv, and of ngx_unix_recv()" "$(metric receives | value count)" \
	$(($(probed receive) - before))
weft read others_nginx >/tmp/asked
same "what each has asked for" "$(sed -n 's/.*: is asked \(.*\)\.$/\1/p' /tmp/asked)" \
	"$(for i in {10..49}; do echo "GET /$i "; done)"
check "unweave" weft unweave others_nginx
echo 0 >$tracing/events/others/enable
echo >$tracing/uprobe_events
check "nothing in the log" bash -c '! dmesg | grep -E "BUG:|WARNING:|Oops"'
check "weft.ko unloads" bash -c 'weft report --reset others_sqlite others_nginx; rmmod weft'
finish
