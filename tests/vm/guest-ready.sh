# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced by the guest's interactive shell (`make vm`): loads weft.ko, sets the database, and puts
# `weft` and `traffic` in the PATH. For another kernel than the demo kernel, $WEFT_KO, $WEFT_DB and
# $WEFT_ASPECTS are set.
export PATH=$O:$O/vm/programs:$PATH WEFT_DB=${WEFT_DB:-$O/vmlinux.weft}
insmod "${WEFT_KO:-$O/kmod/weft.ko}" &&
	echo "weft.ko is loaded; aspects are in ${WEFT_ASPECTS:-$O/vm/aspects}," \
		"\`traffic 10\` makes some network traffic"
