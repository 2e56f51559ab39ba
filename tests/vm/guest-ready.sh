# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced by the guest's interactive shell (`make vm`): weft.ko loaded, the database named, `weft`
# and `traffic` in the PATH.
export PATH=$O:$O/vm/programs:$PATH WEFT_DB=$O/vmlinux.weft
insmod "$O/kmod/weft.ko" &&
	echo "weft.ko is loaded; aspects are in $O/vm/aspects," \
		"\`traffic 10\` makes some network traffic"
