/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a trampoline cannot be emitted. encode.c sets the error, trampoline.c returns it. */
#ifndef WEFT_TRAMPOLINE_ERROR_H
#define WEFT_TRAMPOLINE_ERROR_H

enum wr_trampoline_error {
	/*
	 * an address does not fit in 32 signed bits: a target more than 2 GiB away; or, without
	 * WR_PLATFORM_HIGH, a return address below the top 2 GiB, which push cannot encode
	 */
	WR_TRAMPOLINE_RANGE = 1,
	WR_TRAMPOLINE_ROOM = 2,  /* the buffer is too small */
};

#endif /* WEFT_TRAMPOLINE_ERROR_H */
