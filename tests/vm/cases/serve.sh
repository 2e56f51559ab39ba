#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `weft serve` shows what is woven to those who have its token, and to nobody else. Requests are
# written by hand, without a library that could hide what was sent. tests/page looks at the pages.
. "$(dirname "$0")/lib.sh"
load_weft

# ask METHOD PATH [HEADER]: prints the whole answer of the server at $port.
ask() {
	exec 5<>"/dev/tcp/127.0.0.1/$port" || return
	printf '%s %s HTTP/1.1\r\nHost: here\r\nConnection: close\r\n%s\r\n' "$1" "$2" \
		"${3:+$3$'\r\n'}" >&5
	cat <&5
	exec 5>&-
}
status() { ask "$@" | sed -n '1s/HTTP[^ ]* \([0-9]*\).*/\1/p'; }
mine() { ask GET "$1" "Authorization: Bearer $token"; }
# begin OPTION...: starts the server; sets $server, its pid, and $port.
begin() {
	weft serve "$@" >/tmp/address 2>/tmp/said & server=$!
	for ((i = 0; i < 100; i++)); do
		grep -q . /tmp/address /tmp/said && break
		sleep 0.1
	done
	port=$(sed -n 's#.*127.0.0.1:\([0-9]*\)/.*#\1#p' /tmp/address)
}
# shown_token: prints the token in the address that the server has shown.
shown_token() { sed -n 's#^http://127.0.0.1:[0-9]*/\([0-9a-f]*\)/$#\1#p' /tmp/address; }
# end NAME: SIGTERM ends the server, which exits with 0.
end() {
	kill $server
	wait $server
	same "$1" $? 0
}

# ---- who may ask ----

check "weave" weft weave "$aspects/maps.ko"
begin
token=$(shown_token)
same "a random token has 128 bits" ${#token} 32
same "without the token nothing is shown" "$(status GET /)" 403
same "no metrics either" "$(status GET /metrics)" 403
same "with another one neither" "$(status GET / "Authorization: Bearer ${token%?}x")" 403
same "nor with its begin" "$(status GET / "Authorization: Bearer ${token%?}")" 403
same "nor with an empty one" "$(status GET '/?token=')" 403
same "a page that is not there, without the token" "$(status GET /no)" 403
same "with the token" "$(status GET / "Authorization: Bearer $token")" 200
same "in the path, too" "$(status GET "/$token/")" 200
for page in aspect/maps aspect/maps/now metrics; do
	same "and in that of $page" "$(status GET "/$token/$page")" 200
done
for path in "/${token%?}x/" "/${token%?}/" "/aspect/$token/" "//$token/"; do
	same "but not as $path" "$(status GET "$path")" 403
done
same "nor with an empty one" "$(status GET //)" 403
# A browser sends a cookie of 127.0.0.1 to all ports there, also to those of other users.
for path in "/?token=$token" "/$token/" "/$token/aspect/maps"; do
	same "$path: no cookie" "$(ask GET "$path" | grep -ciE '^set-cookie:')" 0
done
same "and none is asked for" "$(status GET / "Cookie: weft-token=$token")" 403
check "nor does a page tell others its address" grep -q '^Referrer-Policy: no-referrer' \
	<(ask GET "/$token/aspect/maps" | tr -d '\r')
same "the token as an argument leads there, and nowhere else" \
	"$(ask GET "//evil.example/?token=$token" | tr -d '\r' | sed -n 's/^Location: //p')" \
	"/$token/"
for method in POST PUT DELETE; do
	same "$method changes nothing" "$(status $method / "Authorization: Bearer $token")" 405
done
same "it listens on this machine only" \
	"$(awk -v port="$(printf %04X "$port")" '$4 == "0A" && $2 ~ port { print $2 }' \
		/proc/net/tcp)" "0100007F:$(printf %04X "$port")"

# ---- what is shown ----

check "the list has the aspect" grep -q 'href="aspect/maps">maps<' <(mine /)
measured reads >/tmp/reads
check "metrics for monitors" weft report --openmetrics -o /tmp/metrics
same "are what weft report writes" \
	"$(mine /metrics | tr -d '\r' | sed '1,/^$/d' | grep weft_maps_sizes)" \
	"$(grep weft_maps_sizes /tmp/metrics)"
at_least "and there are some" "$(grep -c weft_maps_sizes /tmp/metrics)" 10
check "the page is one that renews itself" grep -q 'data-live="yes"' <(mine /aspect/maps)
mine /aspect/maps/now >/tmp/now
check "its renewal has the data" grep -q '"metric":"sizes"' /tmp/now
same "and neither script nor style again" "$(grep -cE '<script>|<style>[^<]' /tmp/now)" 0
# hits: prints the count of the first row of the metric "sizes", as the page has it.
hits() {
	mine /aspect/maps/now | grep '"metric":"sizes",' | grep -o '"count":[0-9]*' | head -n 1
}
before=$(hits)
measured reads >/tmp/reads
check "what is counted meanwhile is in it" [ "$before" != "$(hits)" ]
sleep 2.5
check "and is shown over time" grep -q '"samples":' <(mine /aspect/maps/now)
same "an aspect that is not there" "$(status GET /aspect/none "Authorization: Bearer $token")" 404
same "a path that is too long" "$(status GET "/aspect/$(printf 'x%.0s' {1..400})" \
	"Authorization: Bearer $token")" 404
check "unweave while it serves" weft unweave maps
same "what was counted stays" "$(status GET /aspect/maps "Authorization: Bearer $token")" 200
end "SIGTERM ends it"

# ---- which aspects, and other tokens ----

begin other
token=$(shown_token)
same "only the aspects that are named" \
	"$(status GET /aspect/maps "Authorization: Bearer $token")" 404
check "neither are others in the list" [ "$(mine / | grep -c 'href="aspect')" = 0 ]
end "that ends, too"

check "weave again" weft weave "$aspects/maps.ko"
begin maps other
token=$(shown_token)
measured reads >/tmp/reads
mine /metrics | tr -d '\r' >/tmp/metrics
same "one of the aspects is absent: a scrape succeeds" "$(head -n 1 /tmp/metrics)" \
	"HTTP/1.1 200 OK"
same "and says which" "$(grep '^weft_aspect_loaded' /tmp/metrics)" \
	'weft_aspect_loaded{aspect="maps"} 1
weft_aspect_loaded{aspect="other"} 0'
same "what is absent is not woven" "$(grep '^weft_aspect_woven' /tmp/metrics)" \
	'weft_aspect_woven{aspect="maps"} 1
weft_aspect_woven{aspect="other"} 0'
at_least "the others are there" "$(grep -c weft_maps_sizes /tmp/metrics)" 10
check "unweave again" weft unweave maps
end "and that ends"

token=a-token.of_16_letters
(umask 077; echo $token >/tmp/token)
begin --token-file /tmp/token
check "a token of a file is not shown" [ "$(grep -c $token /tmp/address)" = 0 ]
same "and holds" "$(status GET / "Authorization: Bearer $token")" 200
word=$(ask GET "/?token=$token" | tr -d '\r' | sed -n 's#^Location: /\([0-9a-f]*\)/$#\1#p')
same "the address that it leads to has another word" "${#word} $(status GET "/$word/")" "32 200"
same "which is no token" "$(status GET / "Authorization: Bearer $word")" 403
same "and the token is no such word" "$(status GET "/$token/")" 403
refuses "a port that is taken" 1 'Address already in use' \
	weft serve --port "$port" --token-file /tmp/token
end "that ends as well"
chmod 644 /tmp/token
refuses "a token that everybody can read" 1 'chmod o-r' weft serve --token-file /tmp/token
chmod 600 /tmp/token
echo short >/tmp/token
refuses "a token that is too short" 6 'no token: 16 to 255' weft serve --token-file /tmp/token
refuses "a port that there is not" 2 'ports end at 65535' weft serve --port 65536

# ---- a socket of systemd ----

if command -v systemd-socket-activate >/dev/null; then
	echo $token >/tmp/token
	port=9464
	systemd-socket-activate -l 127.0.0.1:$port weft serve --token-file /tmp/token \
		>/dev/null 2>&1 & server=$!
	for ((i = 0; i < 100; i++)); do
		(: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
		sleep 0.1
	done
	same "it takes the socket that systemd opened" \
		"$(status GET /metrics "Authorization: Bearer $token")" 200
	end "and ends with its unit"
else
	echo "skipped: a socket of systemd: there is no systemd-socket-activate"
	skipped=$((skipped + 1))
fi
finish
