/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends requests to weft.ko by /dev/weft, with one function for each request. Turns an errno from
 * the kernel into a struct wv_error with advice for the user. All addresses are live addresses.
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
 * Opens /dev/weft. Returns:
 * -WV_E_NO_KMOD: weft.ko is not loaded, or has another version of the protocol.
 * -WV_E_PRIVILEGE: the process is not root, or the kernel is locked down.
 */
int wv_device_open(struct wv_device *device, struct wv_error *error);
void wv_device_close(struct wv_device *device);

/*
 * Read text of the kernel. If @original is true, read it as it would be without weft's splices.
 * wv_device_text() reads one piece. wv_device_pieces() reads up to WEFT_PIECES_MAX pieces with at
 * most WEFT_TEXT_MAX bytes in all, and stores them in @buffer one after another. Both return
 * -WV_E_REFUSED if a piece is not text of the kernel or of a module.
 */
int wv_device_pieces(const struct wv_device *device, const struct weft_piece *pieces, size_t n,
		     void *buffer, bool original, struct wv_error *error);
int wv_device_text(const struct wv_device *device, uint64_t address, void *buffer, size_t size,
		   bool original, struct wv_error *error);

/*
 * Submits a plan. weft.ko sets .refusal of each splice that it refuses to the reason. With
 * WEFT_WEAVE_CHECK in request->flags, weft.ko only checks the plan, and a refusal is no error.
 * Without this flag returns, for example:
 * -WV_E_STATE: the aspect is woven already, or is retiring.
 * -WV_E_REFUSED: a splice was refused.
 * -WV_E_STALE: the kernel's text has changed meanwhile.
 */
int wv_device_weave(const struct wv_device *device, struct weft_weave *request,
		    struct wv_error *error);

/*
 * Unweaves the aspect @name. Sets *@restored_ret to the number of splices that were removed from
 * the text. Returns -WV_E_STATE if @name is not woven, or if another process is weaving or
 * unweaving it.
 */
int wv_device_unweave(const struct wv_device *device, const char *name, uint32_t *restored_ret,
		      struct wv_error *error);

struct wv_statuses {
	WV_VEC(struct weft_status) list;
};

/* Sets @ret to the status of each aspect that the kernel knows. */
int wv_device_list(const struct wv_device *device, struct wv_statuses *ret, struct wv_error *error);
void wv_statuses_deinit(struct wv_statuses *statuses);

/*
 * Writes to @text what the start or end block of an aspect that is STARTING or ENDING does: "its
 * start block is still running (pid 123, 4.5 s)"; or, if the block has died in an oops, that its
 * module stays until the next boot. Returns @text.
 */
enum { WV_BLOCK_TEXT = 160 };
const char *wv_block_text(const struct weft_status *status, char text[WV_BLOCK_TEXT]);

/* Returns the status of the aspect @name in @statuses; NULL if there is none. */
const struct weft_status *wv_statuses_find(const struct wv_statuses *statuses, const char *name);

struct wv_spliced {
	WV_VEC(struct weft_shadow_status) list;
};

/*
 * Sets @ret to the shadows at which the aspect @name is spliced now. If @name is "", sets @ret to
 * the text that weft.ko has changed for its own use.
 */
int wv_device_shadows(const struct wv_device *device, const char *name, struct wv_spliced *ret,
		      struct wv_error *error);
void wv_spliced_deinit(struct wv_spliced *shadows);

struct wv_part_statuses {
	WV_VEC(struct weft_part_status) list;
};

/*
 * Sets @ret to the parts of the aspect @name, in the order of the aspect's table. Returns
 * -WV_E_STATE if the aspect's module is not loaded.
 */
int wv_device_parts(const struct wv_device *device, const char *name, struct wv_part_statuses *ret,
		    struct wv_error *error);
void wv_part_statuses_deinit(struct wv_part_statuses *parts);

/*
 * Reads records of the aspect @name into @buffer, which has @size bytes, and removes them from the
 * kernel. Sets *@used_ret to the number of bytes read; 0: there are no records now. Sets *@gone_ret
 * to whether the kernel no longer knows the aspect. Returns -WV_E_STATE if the aspect has a
 * recorder, which gets its records.
 */
int wv_device_read(const struct wv_device *device, const char *name, void *buffer, size_t size,
		   size_t *used_ret, bool *gone_ret, struct wv_error *error);

/*
 * Makes this open device the recorder of the aspect request->name, and fills in the rest of
 * *@request. Each ring gets at least request->size bytes; 0: rings keep their size. Returns
 * -WV_E_STATE if the aspect has a recorder already, or has records that were not read.
 */
int wv_device_record(const struct wv_device *device, struct weft_recorder *request,
		     struct wv_error *error);

/*
 * Fills @spans, an array of request->nr elements, with the current span of each CPU. With
 * WEFT_SPANS_WRITTEN in request->flags, these are the next spans, and the kernel forgets the last
 * ones. Sets *@gone_ret to whether the aspect has no recorder any more, because its module is gone.
 */
int wv_device_spans(const struct wv_device *device, struct weft_spans *request,
		    struct weft_span *spans, bool *gone_ret, struct wv_error *error);

/*
 * Gets the weft_log() statement number request->index of the aspect request->name, and fills in the
 * rest of *@request. Adds the statement's format and the C text of its arguments to @text, each
 * with a NUL at its end. Sets *@any_ret to whether the kernel knows a statement of this number yet.
 */
int wv_device_statement(const struct wv_device *device, struct weft_statement_text *request,
			struct wv_str *text, bool *any_ret, struct wv_error *error);

/*
 * Fills @ret with the names of joinpoint number @index of the aspect @name; with empty strings if
 * the kernel does not know them.
 */
void wv_device_joinpoint(const struct wv_device *device, const char *name, uint32_t index,
			 struct weft_joinpoint_text *ret);

/*
 * Sets @ret to a description of tag number @index of the aspect @name. Returns false if there is no
 * such tag, as when the aspect has @index tags, or if the kernel does not know the aspect.
 */
bool wv_device_tag(const struct wv_device *device, const char *name, uint32_t index,
		   struct weft_tag_info *ret);
/*
 * Sets @ret to the first fault in the advice of the aspect @name since it was woven last. Returns
 * false if there was none.
 */
bool wv_device_fault(const struct wv_device *device, const char *name, struct weft_fault *ret);

#endif /* WV_REQUESTS_H */
