# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares the results with nothing woven (first file) with those with everything woven (second):
# lines SUITE<tab>TEST<tab>RESULT. `known` is the file of differences that have a reason: blocks of
# "SUITE: TEST", "PLAIN -> WOVEN" and the reason's lines, each followed by an empty line.

BEGIN {
	read_known()
	nr_suites = split(suites, suite, " ")
	for (i = 1; i <= nr_suites; i++)
		selected[suite[i]] = 1
}

function read_known(	line, at, test) {
	while ((getline line <known) > 0) {
		if (line ~ /^#/)
			continue
		if (line == "") {
			at = 0
		} else if (++at == 1) {
			test = line
			order[++nr_known] = test
		} else if (at == 2) {
			expected[test] = line
		} else {
			reason[test] = reason[test] "\n         " line
		}
	}
}

FNR == 1 { file++ }

# A name that occurs several times in a suite gets a number.
{
	test = $1 ": " $2
	number = ++seen[file, test]
	if (number > 1)
		test = test " #" number
	result[file, test] = $3
	if (!(test in suite_of)) {
		suite_of[test] = $1
		tests[++nr_tests] = test
	}
}

function of(file, test) { return (file, test) in result ? result[file, test] : "absent" }

END {
	for (i = 1; i <= nr_tests; i++)
		compare(tests[i])
	for (i = 1; i <= nr_known; i++)
		check_known(order[i])
	for (i = 1; i <= nr_suites; i++)
		check_suite(suite[i])
	printf "%d passed, %d failed\n", passed, failed
}

function compare(test,	plain, woven, change) {
	plain = of(1, test)
	woven = of(2, test)
	change = plain " -> " woven
	if (plain == woven) {
		printf "ok     %-70s %-12s %s\n", test, plain, woven
		good[suite_of[test]] += plain ~ /^(PASS|ok)$/
		passed++
	} else if (expected[test] == change) {
		printf "ok     %-70s %-12s %s, as expected:%s\n", test, plain, woven, reason[test]
		met[test] = 1
		passed++
	} else {
		printf "FAILED %-70s %-12s %s\n", test, plain, woven
		failed++
	}
}

function check_known(test) {
	if (!(substr(test, 1, index(test, ": ") - 1) in selected) || test in met)
		return
	printf "FAILED %s: expected %s, which is not so: mend the list\n", test, expected[test]
	failed++
}

function check_suite(suite) {
	if (good[suite])
		return
	printf "FAILED %s: no test of it passes\n", suite
	failed++
}
