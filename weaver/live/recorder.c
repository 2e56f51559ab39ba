// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a recording; see recorder.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "live/recorded-symbols.h"
#include "live/recorder.h"
#include "live/running-kernel.h"
#include "trace/packet.h"
#include "trace/raw.h"
#include "trace/tsdl.h"

enum {
	/*
	 * If the user has not chosen the size of the rings, it is halved until the rings of all
	 * CPUs together have at most BUFFERS_MOST bytes. But a ring gets at least BUFFER_LEAST
	 * bytes. PAUSE_LEAST and PAUSE_MOST are the minimum and the maximum, in nanoseconds, of
	 * wv_recorder_pause().
	 */
	BUFFERS_MOST = 256 << 20,
	BUFFER_LEAST = 256 << 10,
	PAUSE_LEAST = 500 * 1000,
	PAUSE_MOST = 100 * 1000 * 1000,
	PATH_SIZE = 4096,
};

/* ---- creating the files ---------------------------------------------------------------------- */

static int path_of(const struct wv_recorder *recorder, const char *name, char path[PATH_SIZE],
		   struct wv_error *error)
{
	int n = snprintf(path, PATH_SIZE, "%s/%s", recorder->path, name);

	return n < PATH_SIZE ? 0 : wv_fail_errno(error, ENAMETOOLONG, "%s", recorder->path);
}

static int create(const struct wv_recorder *recorder, const char *name, struct wv_growing *file,
		  struct wv_error *error)
{
	char path[PATH_SIZE];
	int why, err = path_of(recorder, name, path, error);

	if (err)
		return err;
	why = wv_growing_create(file, path);
	return why ? wv_fail_errno(error, why, "%s", path) : 0;
}

int wv_recorder_create(struct wv_recorder *recorder, const char *path, struct wv_error *error)
{
	char below[PATH_SIZE];
	int err;

	*recorder = (struct wv_recorder){ .path = path, .metadata.fd = -1, .table.fd = -1 };
	err = path_of(recorder, "weft", below, error);
	if (err)
		return err;
	if (mkdir(path, 0700))
		return errno == EEXIST
			       ? wv_fail(error, WV_E_FAILURE,
					 "%s exists: remove it, or name another with -o", path)
			       : wv_fail_errno(error, errno, "%s", path);
	if (mkdir(below, 0700))
		return wv_fail_errno(error, errno, "%s", below);
	err = create(recorder, WV_TRACE_METADATA, &recorder->metadata, error);
	return err ? err : create(recorder, WV_TRACE_TABLE, &recorder->table, error);
}

/* ---- beginning a recording ------------------------------------------------------------------- */

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int fill_about(struct wv_recorder *recorder, uint32_t packed, struct wv_error *error)
{
	const struct weft_text_part *kernel = &recorder->module->parts[0];
	struct wv_trace_about *about = &recorder->about;
	struct utsname name;

	if (uname(&name) || getrandom(about->uuid, sizeof(about->uuid), 0) < 0)
		return wv_fail_errno(error, errno, "%s", recorder->path);
	snprintf(recorder->host, sizeof(recorder->host), "%s", name.nodename);
	snprintf(recorder->release, sizeof(recorder->release), "%s", name.release);
	wv_build_id_text(kernel->build_id, kernel->build_id_size, recorder->build_id);
	about->aspect = recorder->module->header.name;
	about->host = recorder->host;
	about->release = recorder->release;
	about->build_id = recorder->build_id;
	about->packed = packed;
	about->offset = nanoseconds(CLOCK_REALTIME) - nanoseconds(CLOCK_MONOTONIC);
	return 0;
}

static int write_beginning(struct wv_recorder *recorder, struct wv_error *error)
{
	_cleanup_str_ struct wv_str metadata = { 0 };
	_cleanup_str_ struct wv_str table = { 0 };
	int why;

	wv_tsdl_begin(&recorder->about, recorder->module, &metadata);
	wv_trace_write_about(&recorder->about, &table);
	wv_trace_write_joinpoints(recorder->module, &table);
	why = wv_growing_add_text(&recorder->metadata, &metadata);
	if (!why)
		why = wv_growing_add_text(&recorder->table, &table);
	return why ? wv_fail_errno(error, why, "%s", recorder->path) : 0;
}

/*
 * Maps the ring of each CPU, twice in a row, so that a span that passes the end of the ring is in
 * one piece. The numbers of CPUs are less than @n. Not every such number is a CPU's: .ring stays
 * NULL for the others.
 */
static int map_rings(struct wv_recorder *recorder, uint32_t n, struct wv_error *error)
{
	const size_t size = 2 * recorder->ring_size;

	for (uint32_t i = 0; i < n; i++) {
		struct wv_recorded_cpu *cpu = wv_vec_push(&recorder->cpus);
		void *ring;

		if (!cpu || !wv_vec_push(&recorder->spans))
			return wv_no_memory(error);
		*cpu = (struct wv_recorded_cpu){ .stream.fd = -1 };
		ring = mmap(NULL, size, PROT_READ, MAP_SHARED, recorder->device->fd,
			    (off_t)(i * size));
		if (ring == MAP_FAILED && errno == EINVAL)
			continue;
		if (ring == MAP_FAILED)
			return wv_fail_errno(error, errno, "mapping the records of cpu %u", i);
		cpu->ring = ring;
	}
	return 0;
}

static uint64_t default_buffer(void)
{
	const long n = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t buffer = WV_RECORDER_BUFFER;

	while (n > 0 && buffer * (uint64_t)n > BUFFERS_MOST && buffer > BUFFER_LEAST)
		buffer /= 2;
	return buffer;
}

int wv_recorder_begin(struct wv_recorder *recorder, const struct wv_device *device,
		      const struct wv_aspect_module *module, uint64_t buffer,
		      struct wv_error *error)
{
	struct weft_recorder request = { .size = buffer ? buffer : default_buffer() };
	int err;

	memcpy(request.name, module->header.name, sizeof(request.name));
	recorder->device = device;
	recorder->module = module;
	err = wv_device_record(device, &request, error);
	if (err)
		return err;
	recorder->ring_size = request.size;
	err = map_rings(recorder, request.nr_cpus, error);
	if (!err)
		err = fill_about(recorder, request.packed, error);
	return err ? err : write_beginning(recorder, error);
}

/* ---- recording ------------------------------------------------------------------------------- */

static bool has_symbols(const struct wv_argument_fields *fields)
{
	for (size_t i = 0; i < fields->n; i++)
		if (fields->list[i].type == 'p' && fields->list[i].size &&
		    (fields->list[i].extension == 's' || fields->list[i].extension == 'S'))
			return true;
	return false;
}

/*
 * Adds the statement number @index to the files, if weft.ko knows it yet. If the disk is full, sets
 * recorder->full.
 */
static int add_statement(struct wv_recorder *recorder, uint32_t index, struct wv_error *error)
{
	struct weft_statement_text request = { .index = index };
	_cleanup_str_ struct wv_str text = { 0 };
	_cleanup_str_ struct wv_str metadata = { 0 };
	_cleanup_str_ struct wv_str table = { 0 };
	const uint64_t before = recorder->metadata.size;
	struct wv_trace_statement statement;
	struct wv_trace_statement *added;
	bool any;
	int err;

	memcpy(request.name, recorder->module->header.name, sizeof(request.name));
	err = wv_device_statement(recorder->device, &request, &text, &any, error);
	if (err || !any)
		return err;
	statement = (struct wv_trace_statement){
		.index = index,
		.content = (enum weft_content)request.content,
		.format = text.data,
		.names = text.data + strlen(text.data) + 1,
	};
	err = wv_fields_of_format(statement.format, statement.content, recorder->about.packed,
				  &statement.fields, error);
	if (err)
		return err;
	wv_tsdl_statement(&recorder->about, &statement, &metadata);
	wv_trace_write_statement(&statement, &table);
	recorder->full = wv_growing_add_text(&recorder->metadata, &metadata);
	if (recorder->full)
		return 0;
	recorder->full = wv_growing_add_text(&recorder->table, &table);
	if (recorder->full) {
		wv_growing_cut(&recorder->metadata, before);
		return 0;
	}
	added = wv_vec_push(&recorder->described.statements);
	if (!added)
		return wv_no_memory(error);
	*added = statement;
	added->format = added->names = NULL; /* the strings are freed when this function returns */
	recorder->known.data[index] = true;
	recorder->symbols |= has_symbols(&statement.fields);
	recorder->ragged |= statement.fields.ragged;
	return 0;
}

/*
 * Adds those of the first @n weft_log() statements to the files that the files do not have yet.
 * These are the statements to which records of the current spans may refer. The records are written
 * after them, so that whoever reads the files meanwhile finds the statement of each record.
 */
static int add_statements(struct wv_recorder *recorder, uint32_t n, struct wv_error *error)
{
	int err = 0;

	while (recorder->known.n < n) {
		bool *known = wv_vec_push(&recorder->known);

		if (!known)
			return wv_no_memory(error);
		*known = false;
	}
	for (uint32_t i = 0; i < n && !err && !recorder->full; i++)
		if (!recorder->known.data[i])
			err = add_statement(recorder, i, error);
	return err;
}

/*
 * Returns how many bytes of the span are content of its packet: all but the padding of the last
 * record, which fills this record up to a multiple of four bytes. If the padding were content, a
 * reader would look for another event in it. Looks at the records only if the aspect has some that
 * may be padded.
 */
static size_t content_of(const struct wv_recorder *recorder, const struct wv_recorded_cpu *cpu,
			 const struct weft_span *span)
{
	struct wv_raw raw = { 0 };
	size_t last = 0;

	if (!recorder->ragged || !span->size)
		return span->size;
	for (size_t at = 0; at < span->size; at += raw.bytes) {
		if (wv_raw_parse(&recorder->described, cpu->ring + span->begin + at,
				 span->size - at, &raw))
			return span->size;
		last = at;
	}
	return last + wv_raw_content(&raw);
}

/* What a packet has before the records of its span. */
struct beginning {
	struct wv_packet packet;
	struct weft_raw_state state;
};

_Static_assert(sizeof(struct beginning) ==
		       sizeof(struct wv_packet) + sizeof(struct weft_raw_state),
	       "the state record comes right after the packet's header");

/*
 * Sets *@ret to a state record with the task and time of the span's first record. Returns its size
 * in bytes; 0 if the packet needs none, because the span is empty or begins with a state record.
 */
static size_t fill_state(const struct wv_recorded_cpu *cpu, const struct weft_span *span,
			 struct weft_raw_state *ret)
{
	struct weft_raw_record first;

	if (!span->size)
		return 0;
	memcpy(&first, cpu->ring + span->begin, sizeof(first));
	if (first.head == WEFT_EVENT_EXTENDED)
		return 0;
	*ret = (struct weft_raw_state){
		.extended = WEFT_EVENT_EXTENDED,
		.event = WEFT_EVENT_TASK,
		.time = span->first,
		.tid = span->tid,
		.pid = span->pid,
		.uid = span->uid,
	};
	memcpy(ret->comm, span->comm, sizeof(ret->comm));
	return sizeof(*ret);
}

static int write_packet(struct wv_recorder *recorder, uint32_t number, struct wv_error *error)
{
	struct wv_recorded_cpu *cpu = &recorder->cpus.data[number];
	const struct weft_span *span = &recorder->spans.data[number];
	struct beginning beginning = { 0 };
	const size_t before =
		sizeof(struct wv_packet) + fill_state(cpu, span, &beginning.state);

	beginning.packet = (struct wv_packet){
		.magic = WV_PACKET_MAGIC,
		.first = span->first,
		.last = span->last,
		.content_bits = 8 * (before + content_of(recorder, cpu, span)),
		.packet_bits = 8 * (before + span->size),
		.lost = span->lost,
		.cpu = number,
	};
	memcpy(beginning.packet.uuid, recorder->about.uuid, sizeof(beginning.packet.uuid));
	if (cpu->stream.fd < 0) {
		char name[32], path[PATH_SIZE];
		int err;

		snprintf(name, sizeof(name), "cpu%u", number);
		err = path_of(recorder, name, path, error);
		if (err)
			return err;
		recorder->full = wv_growing_create(&cpu->stream, path);
		if (recorder->full)
			return 0;
	}
	recorder->full = wv_growing_add(&cpu->stream, &beginning, before,
					cpu->ring + span->begin, span->size);
	if (recorder->full)
		return 0;
	cpu->told = span->lost;
	cpu->written = true;
	recorder->records += span->records;
	recorder->bytes += before + span->size;
	return 0;
}

/* Writes those of the current spans that are not written yet. */
static int write_spans(struct wv_recorder *recorder, struct wv_error *error)
{
	int err = 0;

	recorder->fill = 0;
	recorder->any = false;
	for (uint32_t i = 0; i < recorder->cpus.n && !err && !recorder->full; i++) {
		const struct weft_span *span = &recorder->spans.data[i];
		const unsigned int fill = (unsigned int)(100 * span->size / recorder->ring_size);

		if (fill > recorder->fill)
			recorder->fill = fill;
		recorder->any |= span->size != 0;
		if (span->size && !recorder->cpus.data[i].written)
			err = write_packet(recorder, i, error);
	}
	return err;
}

/*
 * Fetches the next spans from the kernel. The current spans have been written, so the request also
 * lets the kernel forget their records. Sets *@gone_ret to whether the aspect's module is gone:
 * then there are no more records.
 */
static int take_spans(struct wv_recorder *recorder, bool *gone_ret, struct wv_error *error)
{
	struct weft_spans request = { .nr = (uint32_t)recorder->spans.n,
				      .flags = WEFT_SPANS_WRITTEN };
	int err;

	memcpy(request.name, recorder->module->header.name, sizeof(request.name));
	err = wv_device_spans(recorder->device, &request, recorder->spans.data, gone_ret, error);
	if (err || *gone_ret)
		return err;
	recorder->taken = true;
	recorder->lost = 0;
	wv_vec_for_each(cpu, &recorder->cpus)
		cpu->written = false;
	wv_vec_for_each(span, &recorder->spans)
		recorder->lost += span->lost;
	return add_statements(recorder, request.nr_statements, error);
}

int wv_recorder_drain(struct wv_recorder *recorder, struct wv_error *error)
{
	bool gone = false;
	int err = 0;

	recorder->full = 0;
	if (!recorder->taken)
		err = take_spans(recorder, &gone, error);
	else
		err = add_statements(recorder, (uint32_t)recorder->known.n, error);
	recorder->any &= !gone;
	if (err || gone || recorder->full)
		return err;
	err = write_spans(recorder, error);
	recorder->taken = err || recorder->full;
	return err;
}

uint64_t wv_recorder_pause(const struct wv_recorder *recorder, uint64_t last)
{
	if (recorder->full)
		return PAUSE_MOST;
	if (recorder->fill > 50)
		return 0;
	if (recorder->fill > 25)
		last /= 2;
	else if (recorder->fill < 10)
		last = last + last / 4 + 1;
	return last < PAUSE_LEAST ? PAUSE_LEAST : last > PAUSE_MOST ? PAUSE_MOST : last;
}

/* ---- ending a recording ---------------------------------------------------------------------- */

/*
 * Writes an empty packet for each CPU that has lost records since its last packet. The number of
 * lost records in this packet makes the recording's number of lost records right.
 */
static int write_last_losses(struct wv_recorder *recorder, struct wv_error *error)
{
	int err = 0;

	for (uint32_t i = 0; i < recorder->cpus.n && !err && !recorder->full; i++) {
		struct weft_span *span = &recorder->spans.data[i];

		if (recorder->cpus.data[i].told == span->lost)
			continue;
		*span = (struct weft_span){ .lost = span->lost,
					    .first = span->last,
					    .last = span->last };
		err = write_packet(recorder, i, error);
	}
	return err;
}

int wv_recorder_end(struct wv_recorder *recorder, struct wv_error *error)
{
	int err;

	/*
	 * The last turn fetches spans without records. With this request the kernel forgets the
	 * records that the turn before has written.
	 */
	do {
		err = wv_recorder_drain(recorder, error);
	} while (!err && !recorder->full && recorder->any);
	if (!err && !recorder->full)
		err = write_last_losses(recorder, error);
	if (!err && recorder->full)
		err = wv_fail_errno(error, recorder->full, "%s", recorder->path);
	if (err || !recorder->symbols)
		return err;
	return wv_record_symbols(recorder->path, &recorder->table, error);
}

uint64_t wv_recorder_unwritten(const struct wv_recorder *recorder)
{
	uint64_t records = 0;

	for (size_t i = 0; recorder->taken && i < recorder->cpus.n; i++)
		if (!recorder->cpus.data[i].written)
			records += recorder->spans.data[i].records;
	return records;
}

void wv_recorder_discard(struct wv_recorder *recorder)
{
	static const char *const names[] = { WV_TRACE_METADATA, WV_TRACE_TABLE, "weft" };
	struct wv_error ignored;
	char path[PATH_SIZE];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!path_of(recorder, names[i], path, &ignored))
			remove(path);
	rmdir(recorder->path);
}

void wv_recorder_deinit(struct wv_recorder *recorder)
{
	wv_vec_for_each(cpu, &recorder->cpus) {
		if (cpu->ring)
			munmap((void *)cpu->ring, 2 * recorder->ring_size);
		wv_growing_close(&cpu->stream);
	}
	wv_vec_deinit(&recorder->cpus);
	wv_vec_deinit(&recorder->spans);
	wv_vec_deinit(&recorder->described.statements);
	wv_vec_deinit(&recorder->known);
	if (recorder->path) {
		wv_growing_close(&recorder->metadata);
		wv_growing_close(&recorder->table);
	}
}
