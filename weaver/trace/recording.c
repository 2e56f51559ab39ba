// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a recording; see recording.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace/recording.h"

enum {
	/* maximum bytes of the arguments' names; weft.ko truncates longer ones, too */
	NAMES_MAX = 511,
	TEXT_ALIGN = 8,	 /* alignment in bytes of the texts in struct weft_record */
};

/* ---- reading one stream ---------------------------------------------------------------------- */

static int damaged(const struct wv_recording *recording, const struct wv_trace_stream *stream,
		   const void *at, const char *what, struct wv_error *error)
{
	return wv_fail(error, WV_E_FORMAT, "%s/%s: damaged at byte %zu: %s", recording->path,
		       stream->name, (size_t)((const uint8_t *)at - stream->bytes), what);
}

static int map_stream(const char *path, struct wv_trace_stream *stream, struct wv_error *error)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status))
		return wv_fail_errno(error, errno, "%s", path);
	if (!S_ISREG(status.st_mode))
		return wv_fail(error, WV_E_FORMAT, "%s: not a file", path);
	if (!status.st_size)
		return 0;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return wv_fail_errno(error, errno, "%s", path);
	stream->bytes = bytes;
	stream->size = (size_t)status.st_size;
	return 0;
}

/*
 * Goes to the next packet that has records. Sets *@ret to whether there is one. If the stream ends
 * in the middle of a packet, this packet is not read.
 */
static int next_packet(const struct wv_recording *recording, struct wv_trace_stream *stream,
		       bool *ret, struct wv_error *error)
{
	const uint8_t *uuid = recording->table.about.uuid;

	*ret = false;
	while (!*ret && stream->size - stream->whole >= sizeof(struct wv_packet)) {
		const uint8_t *at = stream->bytes + stream->whole;
		struct wv_packet packet;
		uint64_t bytes;

		memcpy(&packet, at, sizeof(packet));
		bytes = packet.packet_bits / 8;
		if (packet.magic != WV_PACKET_MAGIC || memcmp(packet.uuid, uuid, WV_UUID_SIZE))
			return damaged(recording, stream, at, "no packet of this recording", error);
		if (bytes < sizeof(packet) || bytes % WEFT_RECORD_ALIGN || packet.packet_bits % 8 ||
		    packet.content_bits > packet.packet_bits ||
		    packet.packet_bits - packet.content_bits >= 8 * WEFT_RECORD_ALIGN)
			return damaged(recording, stream, at, "a packet of a wrong size", error);
		if (bytes > stream->size - stream->whole)
			return 0;
		if (stream->whole && (packet.cpu != stream->cpu || packet.lost < stream->lost))
			return damaged(recording, stream, at, "a packet that belongs elsewhere",
				       error);
		stream->cpu = packet.cpu;
		stream->lost = packet.lost;
		stream->at = at + sizeof(packet);
		stream->end = at + bytes;
		stream->whole += bytes;
		*ret = stream->at < stream->end;
	}
	return 0;
}

/*
 * Parses the stream's next record into stream->raw, and does not take it. State records before it
 * are taken. Sets *@any_ret to whether there is a next record.
 */
static int peek(const struct wv_recording *recording, struct wv_trace_stream *stream, bool *any_ret,
		struct wv_error *error)
{
	*any_ret = true;
	for (;;) {
		const char *wrong;

		if (stream->at == stream->end) {
			int err = next_packet(recording, stream, any_ret, error);

			if (err || !*any_ret)
				return err;
		}
		wrong = wv_raw_parse(&recording->table, stream->at,
				     (size_t)(stream->end - stream->at), &stream->raw);
		if (wrong)
			return damaged(recording, stream, stream->at, wrong, error);
		if (!stream->raw.is_state)
			return 0;
		stream->at += stream->raw.bytes;
	}
}

static int is_stream(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "cpu", 3) && strlen(entry->d_name) < 32;
}

static int open_streams(struct wv_recording *recording, struct wv_error *error)
{
	struct dirent **entries;
	int n = scandir(recording->path, &entries, is_stream, versionsort), err = 0;

	if (n < 0)
		return wv_fail_errno(error, errno, "%s", recording->path);
	for (int i = 0; i < n; i++) {
		struct wv_trace_stream *stream = err ? NULL : wv_vec_push(&recording->streams);
		char path[4096];

		if (!err && !stream)
			err = wv_no_memory(error);
		if (!err) {
			*stream = (struct wv_trace_stream){ 0 };
			snprintf(stream->name, sizeof(stream->name), "%.31s", entries[i]->d_name);
			snprintf(path, sizeof(path), "%s/%s", recording->path, stream->name);
			err = map_stream(path, stream, error);
		}
		free(entries[i]);
	}
	free(entries);
	return err;
}

int wv_recording_open(const char *path, struct wv_recording *ret, struct wv_error *error)
{
	char table[4096];
	int err;

	*ret = (struct wv_recording){ .path = path };
	if ((size_t)snprintf(table, sizeof(table), "%s/%s", path, WV_TRACE_TABLE) >= sizeof(table))
		return wv_fail(error, WV_E_FORMAT, "%s: too long a name", path);
	if (access(table, F_OK) && (errno == ENOENT || errno == ENOTDIR))
		return wv_fail(error, WV_E_FORMAT, "%s: not a recording: there is no %s in it",
			       path, WV_TRACE_TABLE);
	err = wv_trace_table_read(table, &ret->table, error);
	if (!err)
		err = open_streams(ret, error);
	if (err)
		wv_recording_close(ret);
	return err;
}

void wv_recording_close(struct wv_recording *recording)
{
	wv_vec_for_each(stream, &recording->streams)
		if (stream->bytes)
			munmap((void *)stream->bytes, stream->size);
	wv_vec_deinit(&recording->streams);
	wv_trace_table_deinit(&recording->table);
}

/* ---- reading the records of all streams ------------------------------------------------------ */

/* Finds the stream whose next record is the oldest. *@ret is NULL if no stream has records left. */
static int oldest(struct wv_recording *recording, struct wv_trace_stream **ret,
		  struct wv_error *error)
{
	*ret = NULL;
	wv_vec_for_each(stream, &recording->streams) {
		bool any;
		int err = peek(recording, stream, &any, error);

		if (err)
			return err;
		if (any && (!*ret || stream->raw.time < (*ret)->raw.time))
			*ret = stream;
	}
	return 0;
}

int wv_recording_next_raw(const struct wv_recording *recording, struct wv_trace_stream *stream,
			  struct wv_raw *ret, bool *any_ret, struct wv_error *error)
{
	int err = peek(recording, stream, any_ret, error);

	if (err || !*any_ret)
		return err;
	*ret = stream->raw;
	stream->at += stream->raw.bytes;
	stream->raw.task.lost = 0; /* the caller has got this number with the record */
	return 0;
}

static int render(const struct wv_recording *recording, const struct wv_raw *raw,
		  struct wv_rendered *ret, struct wv_error *error)
{
	const struct wv_symbol_finder symbols = { wv_trace_symbol_find, &recording->table };
	const size_t size = strnlen((const char *)raw->values, raw->size);

	if (!raw->has_text)
		return wv_render(raw->statement->format, &raw->statement->fields, &symbols,
				 raw->values, raw->size, ret, error);
	if (size == raw->size)
		return wv_fail(error, WV_E_FORMAT, "a record's text has no end");
	ret->nr_values = 0;
	ret->size = size < sizeof(ret->text) ? (uint32_t)size : sizeof(ret->text) - 1;
	memcpy(ret->text, raw->values, ret->size);
	ret->text[ret->size] = '\0';
	return 0;
}

/* Appends @n bytes, a NUL and padding, as weft.ko does. */
static void append(struct weft_record *record, const void *bytes, uint32_t n)
{
	uint8_t *to = (uint8_t *)record + record->size;
	const uint32_t size = (n + TEXT_ALIGN) & ~(uint32_t)(TEXT_ALIGN - 1);

	memcpy(to, bytes, n);
	memset(to + n, 0, size - n);
	record->size += size;
}

static void make_record(struct wv_recording *recording, const struct wv_trace_stream *stream,
			const struct wv_raw *raw, const struct wv_rendered *rendered)
{
	struct weft_record *record = (struct weft_record *)recording->record;
	const char *names = raw->statement->names;
	const uint32_t values_size = rendered->nr_values * sizeof(struct weft_value);

	_Static_assert(sizeof(recording->record) >=
			       sizeof(*record) + WV_RENDER_TEXT + NAMES_MAX + 1 +
				       2 * TEXT_ALIGN +
				       WV_RENDER_VALUES * sizeof(struct weft_value),
		       "a record has no room");
	*record = (struct weft_record){
		.size = sizeof(*record),
		.joinpoint = raw->joinpoint,
		.time = raw->time,
		.cpu = stream->cpu,
		.pid = raw->task.tid,
		.tgid = raw->task.pid,
		.uid = raw->task.uid,
		.lost = raw->task.lost,
		.text_size = rendered->size,
		.nr_values = rendered->nr_values,
		.names_size = rendered->nr_values ? (uint32_t)strnlen(names, NAMES_MAX) : 0,
	};
	memcpy(record->comm, raw->task.comm, sizeof(record->comm));
	append(record, rendered->text, rendered->size);
	memcpy((uint8_t *)record + record->size, rendered->values, values_size);
	record->size += values_size;
	append(record, names, record->names_size);
}

int wv_recording_next(struct wv_recording *recording, const struct weft_record **ret,
		      struct wv_error *error)
{
	struct wv_trace_stream *stream;
	struct wv_rendered rendered;
	struct wv_raw raw;
	bool any;
	int err = oldest(recording, &stream, error);

	*ret = NULL;
	if (err || !stream)
		return err;
	err = wv_recording_next_raw(recording, stream, &raw, &any, error);
	if (err || !any)
		return err;
	err = render(recording, &raw, &rendered, error);
	if (err) {
		const struct wv_error why = *error;

		return damaged(recording, stream, raw.values, why.message, error);
	}
	make_record(recording, stream, &raw, &rendered);
	recording->records++;
	*ret = (const struct weft_record *)recording->record;
	return 0;
}

uint64_t wv_recording_lost(const struct wv_recording *recording)
{
	uint64_t lost = 0;

	wv_vec_for_each(stream, &recording->streams)
		lost += stream->lost;
	return lost;
}

size_t wv_recording_cut_off(const struct wv_trace_stream *stream)
{
	return stream->size - stream->whole;
}

void wv_recording_joinpoint(const struct wv_recording *recording, uint32_t index,
			    struct weft_joinpoint_text *ret)
{
	const struct wv_trace_joinpoint *point;

	*ret = (struct weft_joinpoint_text){ .index = index };
	snprintf(ret->name, sizeof(ret->name), "%s", recording->table.about.aspect);
	if (index == WEFT_JOINPOINT_START || index == WEFT_JOINPOINT_END) {
		snprintf(ret->symbol, sizeof(ret->symbol), "%s",
			 index == WEFT_JOINPOINT_START ? "start" : "end");
		snprintf(ret->what, sizeof(ret->what), "%s", ret->symbol);
		return;
	}
	if (index >= recording->table.joinpoints.n)
		return;
	point = &recording->table.joinpoints.data[index];
	ret->line = point->line;
	ret->column = point->column;
	ret->symbol_offset = point->symbol_offset;
	snprintf(ret->what, sizeof(ret->what), "%s", point->what);
	snprintf(ret->symbol, sizeof(ret->symbol), "%s", point->symbol);
	snprintf(ret->function, sizeof(ret->function), "%s", point->function);
	snprintf(ret->file, sizeof(ret->file), "%s", point->file);
	snprintf(ret->module, sizeof(ret->module), "%s", point->module);
}
