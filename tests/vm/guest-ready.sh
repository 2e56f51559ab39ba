# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced by the guest's interactive shell (`make vm`): weft.ko loaded, the database named, `weft`
# and `traffic` in the PATH. $WEFT_KO, $WEFT_DB and $WEFT_ASPECTS are there for another kernel than
# the demo one.
export PATH=$O:$O/vm/programs:$PATH WEFT_DB=${WEFT_DB:-$O/vmlinux.weft}
insmod "${WEFT_KO:-$O/kmod/weft.ko}" &&
	echo "weft.ko is loaded; aspects are in ${WEFT_ASPECTS:-$O/vm/aspects}," \
		"\`traffic 10\` makes some network traffic"
