/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User-space side of /dev/weft, with one function for each request. Translates the kernel's errno
 * into a struct wv_error with advice for the user. All addresses are live ones.
 */
#ifndef WV_REQUESTS_H
#define WV_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

struct wv_device {
	int fd;
	struct weft_info info;
};

/*
 * Opens /dev/weft. -WV_E_NO_KMOD: weft.ko is not loaded or has another protocol version;
 * -WV_E_PRIVILEGE: not root, or locked down.
 */
int wv_device_open(struct wv_device *device, struct wv_error *error);
void wv_device_close(struct wv_device *device);

/*
 * Reads text, without weft's own splices if @original. wv_device_pieces() reads up to
 * WEFT_PIECES_MAX pieces, of at most WEFT_TEXT_MAX bytes in all, and stores them in @buffer one
 * after another; wv_device_text() reads one piece. -WV_E_REFUSED if a piece is not the kernel's
 * text.
 */
int wv_device_pieces(const struct wv_device *device, const struct weft_piece *pieces, size_t n,
		     void *buffer, bool original, struct wv_error *error);
int wv_device_text(const struct wv_device *device, uint64_t address, void *buffer, size_t size,
		   bool original, struct wv_error *error);

/*
 * Submits a plan. With WEFT_WEAVE_CHECK in request->flags nothing changes and a refusal is not an
 * error. Otherwise -WV_E_STATE (woven already, retiring), -WV_E_REFUSED, -WV_E_STALE, ... A refused
 * splice has its reason in .refusal.
 */
int wv_device_weave(const struct wv_device *device, struct weft_weave *request,
		    struct wv_error *error);

/*
 * Unweaves @name. *@restored_ret: number of splices removed from the text. -WV_E_STATE if @name is
 * not woven.
 */
int wv_device_unweave(const struct wv_device *device, const char *name, uint32_t *restored_ret,
		      struct wv_error *error);

struct wv_statuses {
	WV_VEC(struct weft_status) list;
};

/* All aspects that the kernel knows. */
int wv_device_list(const struct wv_device *device, struct wv_statuses *ret, struct wv_error *error);
void wv_statuses_deinit(struct wv_statuses *statuses);

/*
 * Writes a text about the start or end block of an aspect that is STARTING or ENDING: "its start
 * block is still running (pid 123, 4.5 s)"; or, if the block has died, about that and its
 * consequences. Returns @text.
 */
enum { WV_BLOCK_TEXT = 160 };
const char *wv_block_text(const struct weft_status *status, char text[WV_BLOCK_TEXT]);

/* The status of @name in @statuses, or NULL. */
const struct weft_status *wv_statuses_find(const struct wv_statuses *statuses, const char *name);

struct wv_spliced {
	WV_VEC(struct weft_shadow_status) list;
};

/*
 * The shadows at which @name is spliced now. If @name is "": the text that weft.ko changed for
 * itself.
 */
int wv_device_shadows(const struct wv_device *device, const char *name, struct wv_spliced *ret,
		      struct wv_error *error);
void wv_spliced_deinit(struct wv_spliced *shadows);

struct wv_part_statuses {
	WV_VEC(struct weft_part_status) list;
};

/*
 * The parts of @name's text, as the aspect's table orders them. -WV_E_STATE: no such module is
 * loaded.
 */
int wv_device_parts(const struct wv_device *device, const char *name, struct wv_part_statuses *ret,
		    struct wv_error *error);
void wv_part_statuses_deinit(struct wv_part_statuses *parts);

/*
 * Reads records of @name into @buffer and consumes them. *@used_ret: bytes read; 0: no records are
 * available now. *@gone_ret: the kernel no longer knows the aspect. -WV_E_STATE: a recorder takes
 * the aspect's records.
 */
int wv_device_read(const struct wv_device *device, const char *name, void *buffer, size_t size,
		   size_t *used_ret, bool *gone_ret, struct wv_error *error);

/*
 * Makes @device the recorder of @request->name, with rings of at least @request->size bytes (0: as
 * they are), and fills @request. -WV_E_STATE: the aspect has a recorder, or unread records.
 */
int wv_device_record(const struct wv_device *device, struct weft_recorder *request,
		     struct wv_error *error);

/*
 * Fills @spans, an array of @request->nr elements. *@gone_ret: the aspect has no recorder any more,
 * since its module is gone.
 */
int wv_device_spans(const struct wv_device *device, struct weft_spans *request,
		    struct weft_span *spans, bool *gone_ret, struct wv_error *error);

/*
 * Fills @request for the weft_log() statement with the index that it has, and adds the statement's
 * format and its arguments, with their NULs, to @text. *@any_ret: whether the kernel knows such a
 * statement yet.
 */
int wv_device_statement(const struct wv_device *device, struct weft_statement_text *request,
			struct wv_str *text, bool *any_ret, struct wv_error *error);

/*
 * Fills @ret with the names of joinpoint @index of @name; with empty strings if the kernel does not
 * know them.
 */
void wv_device_joinpoint(const struct wv_device *device, const char *name, uint32_t index,
			 struct weft_joinpoint_text *ret);

/* The first fault in @name's advice since its last weave. False: there was none. */
bool wv_device_fault(const struct wv_device *device, const char *name, struct weft_fault *ret);

#endif /* WV_REQUESTS_H */
