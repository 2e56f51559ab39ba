# SPDX-License-Identifier: GPL-2.0-or-later
#
# A function for cases about faults in around-advice, which source this file. Such a case has to
# name the aspect fault_around itself, so that it is built, and to load the module probed.

# provoke_around KIND CONTEXT WHEN: makes the advice of fault_around fault, and waits until the
# aspect is unwoven. KIND is the kind of fault. WHEN is 0 before the advice calls the function, 1
# after that; the aspect's XML has all of these numbers. The module probed calls the function in
# CONTEXT, on CPU 0.
provoke_around() {
	local parameters=/sys/module/fault_around/parameters
	weft weave "$aspects/fault_around.ko" >/dev/null || return
	echo "$2" >$parameters/context
	echo "$3" >$parameters/when
	echo "$1" >$parameters/kind
	taskset -c 0 bash -c "echo 1 $2 >/dev/probed" && await in_state fault_around faulted
}
