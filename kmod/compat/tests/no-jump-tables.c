// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does the kernel's compiler make no jump tables? Then every jump of C code through a register or
 * memory leaves its function (text/single-entry.c). Kernels with retpolines, or with indirect
 * branch tracking, are compiled so. The assembler text of this file must not match:
 *
 * absent: jmp[[:space:]].*(\*|indirect)
 */
#include <linux/module.h>

int no_jump_tables(int which);
int no_jump_tables_called(int which);

int no_jump_tables(int which)
{
	switch (which) {
	case 0: return no_jump_tables_called(31) + 7;
	case 1: return no_jump_tables_called(17) + 70;
	case 2: return no_jump_tables_called(53) + 9;
	case 3: return no_jump_tables_called(11) + 21;
	case 4: return no_jump_tables_called(89) + 3;
	case 5: return no_jump_tables_called(2) + 64;
	case 6: return no_jump_tables_called(73) + 5;
	case 7: return no_jump_tables_called(41) + 90;
	case 8: return no_jump_tables_called(61) + 44;
	case 9: return no_jump_tables_called(5) + 13;
	case 10: return no_jump_tables_called(97) + 33;
	case 11: return no_jump_tables_called(29) + 8;
	case 12: return no_jump_tables_called(83) + 27;
	case 13: return no_jump_tables_called(37) + 71;
	case 14: return no_jump_tables_called(7) + 16;
	case 15: return no_jump_tables_called(67) + 52;
	default: return 0;
	}
}
