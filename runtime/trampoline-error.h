/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a trampoline cannot be emitted. The encoder notices, and the emitter returns it. */
#ifndef WEFT_TRAMPOLINE_ERROR_H
#define WEFT_TRAMPOLINE_ERROR_H

enum wr_trampoline_error {
	/*
	 * an address is more than 2 GiB away; or a return address is not in the top 2 GiB, and
	 * WR_PLATFORM_HIGH is not set
	 */
	WR_TRAMPOLINE_RANGE = 1,
	WR_TRAMPOLINE_ROOM = 2,  /* the buffer is too small */
};

#endif /* WEFT_TRAMPOLINE_ERROR_H */
