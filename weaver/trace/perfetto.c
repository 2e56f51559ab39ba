// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a recording as a trace of Perfetto; see perfetto.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/notation.h"
#include "trace/argument-names.h"
#include "trace/perfetto.h"
#include <perfetto.pb-c.h>
#include "trace/render.h"

typedef Perfetto__Protos__TracePacket packet_t;
typedef Perfetto__Protos__TrackEvent event_t;
typedef Perfetto__Protos__TrackDescriptor descriptor_t;
typedef Perfetto__Protos__DebugAnnotation annotation_t;

enum {
	/*
	 * the sequence id of all packets, by which a reader knows that one writer has written them
	 */
	SEQUENCE = 1,
	/*
	 * the values, and four more: the text, the joinpoint, its location in the source, the CPU
	 */
	ANNOTATIONS_MAX = WV_RENDER_VALUES + 4,
};

void wv_perfetto_deinit(struct wv_perfetto *perfetto)
{
	wv_vec_for_each(track, &perfetto->tracks)
		wv_vec_deinit(&track->slices);
	wv_vec_deinit(&perfetto->tracks);
	wv_hash_deinit(&perfetto->by_key);
}

/*
 * A trace is one protobuf message that holds all packets. Messages of one type that are written one
 * after another count as one, so each packet is written as a message of its own.
 */
static void write_packet(struct wv_perfetto *perfetto, packet_t *packet)
{
	Perfetto__Protos__Trace trace = PERFETTO__PROTOS__TRACE__INIT;
	_cleanup_free_ uint8_t *bytes = NULL;
	packet_t *packets[] = { packet };
	size_t n;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	trace.n_packet = 1;
	trace.packet = packets;
	n = perfetto__protos__trace__get_packed_size(&trace);
	bytes = malloc(n);
	if (!bytes) {
		perfetto->failed = true;
		return;
	}
	perfetto__protos__trace__pack(&trace, bytes);
	fwrite(bytes, 1, n, perfetto->out);
	perfetto->packets++;
}

/*
 * Writes which time of day (CLOCK_REALTIME) belongs to @time, the first record's CLOCK_MONOTONIC.
 */
static void write_clocks(struct wv_perfetto *perfetto, uint64_t time)
{
	packet_t packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__ClockSnapshot snapshot = PERFETTO__PROTOS__CLOCK_SNAPSHOT__INIT;
	Perfetto__Protos__ClockSnapshot__Clock monotonic =
		PERFETTO__PROTOS__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__Protos__ClockSnapshot__Clock real = PERFETTO__PROTOS__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__Protos__ClockSnapshot__Clock *clocks[] = { &monotonic, &real };

	monotonic.has_clock_id = monotonic.has_timestamp = true;
	monotonic.clock_id = PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	monotonic.timestamp = time;
	real.has_clock_id = real.has_timestamp = true;
	real.clock_id = PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_REALTIME;
	real.timestamp = time + perfetto->about->offset;
	snapshot.n_clocks = 2;
	snapshot.clocks = clocks;
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	packet.clock_snapshot = &snapshot;
	write_packet(perfetto, &packet);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static bool is_key(const void *tracks, uint32_t position, const void *key_)
{
	const struct wv_perfetto_track *track = (const struct wv_perfetto_track *)tracks + position;
	const struct wv_perfetto_key *key = key_;

	return track->key.type == key->type && track->key.id == key->id;
}

/*
 * Returns the uuid of the track of @type that @id identifies; 0 if out of memory. Sets *@new_ret if
 * the track is new: the caller then has to describe it.
 */
static uint64_t track_of(struct wv_perfetto *perfetto, enum wv_perfetto_type type, uint64_t id,
			 bool *new_ret)
{
	const struct wv_perfetto_key key = { type, id };
	const uint32_t hash = wv_hash_bytes(&key, sizeof(key));
	uint32_t position =
		wv_hash_find(&perfetto->by_key, hash, is_key, perfetto->tracks.data, &key);
	struct wv_perfetto_track *track;

	*new_ret = position == WV_HASH_NONE;
	if (!*new_ret)
		return position + 1;
	position = (uint32_t)perfetto->tracks.n;
	track = wv_vec_push(&perfetto->tracks);
	if (!track || wv_hash_add(&perfetto->by_key, hash, position)) {
		perfetto->failed = true;
		return 0;
	}
	track->key = key;
	return position + 1;
}

/*
 * Writes the description of the track @uuid. @parent: uuid of the parent track; 0 if there is none.
 */
static void describe(struct wv_perfetto *perfetto, uint64_t uuid, uint64_t parent, const char *name,
		     descriptor_t *descriptor)
{
	packet_t packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	descriptor->has_uuid = true;
	descriptor->uuid = uuid;
	descriptor->has_parent_uuid = parent != 0;
	descriptor->parent_uuid = parent;
	descriptor->name = (char *)name;
	packet.track_descriptor = descriptor;
	write_packet(perfetto, &packet);
}

static uint64_t cpu_track(struct wv_perfetto *perfetto, uint32_t cpu)
{
	descriptor_t descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	char name[32];
	bool new;
	const uint64_t all = track_of(perfetto, WV_PERFETTO_CPUS, 0, &new);
	uint64_t uuid;

	if (new)
		describe(perfetto, all, 0, "CPUs", &descriptor);
	uuid = track_of(perfetto, WV_PERFETTO_CPU, cpu, &new);
	snprintf(name, sizeof(name), "CPU %" PRIu32, cpu);
	if (new)
		describe(perfetto, uuid, all, name, &descriptor);
	return uuid;
}

/*
 * Returns whether @comm differs from the name that the track's task had before, and stores @comm as
 * its name.
 */
static bool note_name(struct wv_perfetto *perfetto, uint64_t uuid, const char *comm)
{
	struct wv_perfetto_track *track = uuid ? &perfetto->tracks.data[uuid - 1] : NULL;

	if (!track || !strcmp(track->comm, comm))
		return false;
	snprintf(track->comm, sizeof(track->comm), "%s", comm);
	return true;
}

static void describe_process(struct wv_perfetto *perfetto, const struct weft_record *record,
			     const char *comm)
{
	descriptor_t descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	Perfetto__Protos__ProcessDescriptor process = PERFETTO__PROTOS__PROCESS_DESCRIPTOR__INIT;
	const bool is_main = record->pid == record->tgid;
	bool new;
	const uint64_t uuid = track_of(perfetto, WV_PERFETTO_PROCESS, record->tgid, &new);
	const bool renamed = is_main && note_name(perfetto, uuid, comm);

	if (!new && !renamed)
		return;
	process.has_pid = true;
	process.pid = (int32_t)record->tgid;
	process.process_name = is_main ? (char *)comm : NULL;
	descriptor.process = &process;
	describe(perfetto, uuid, 0, NULL, &descriptor);
}

static uint64_t task_track(struct wv_perfetto *perfetto, const struct weft_record *record,
			   const char *comm)
{
	descriptor_t descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	Perfetto__Protos__ThreadDescriptor thread = PERFETTO__PROTOS__THREAD_DESCRIPTOR__INIT;
	uint64_t uuid;
	bool new;

	/* Each CPU has an idle task, and all idle tasks have the tid 0. */
	if (!record->pid) {
		uuid = track_of(perfetto, WV_PERFETTO_IDLE, record->cpu, &new);
		if (new)
			describe(perfetto, uuid, 0, comm, &descriptor);
		return uuid;
	}
	describe_process(perfetto, record, comm);
	uuid = track_of(perfetto, WV_PERFETTO_THREAD,
			(uint64_t)record->tgid << 32 | record->pid, &new);
	if (note_name(perfetto, uuid, comm) || new) {
		thread.has_pid = thread.has_tid = true;
		thread.pid = (int32_t)record->tgid;
		thread.tid = (int32_t)record->pid;
		thread.thread_name = (char *)comm;
		descriptor.thread = &thread;
		describe(perfetto, uuid, 0, NULL, &descriptor);
	}
	return uuid;
}

static uint64_t counter_track(struct wv_perfetto *perfetto, const char *name, const char *unit)
{
	descriptor_t descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	Perfetto__Protos__CounterDescriptor counter = PERFETTO__PROTOS__COUNTER_DESCRIPTOR__INIT;
	const uint64_t id = (uint64_t)wv_hash_bytes(name, strlen(name)) << 32 |
			    wv_hash_bytes(unit, strlen(unit));
	bool new;
	const uint64_t uuid = track_of(perfetto, WV_PERFETTO_COUNTER, id, &new);

	if (new) {
		counter.unit_name = (char *)unit;
		descriptor.counter = &counter;
		describe(perfetto, uuid, 0, name, &descriptor);
	}
	return uuid;
}

/*
 * Returns whether the lane @track can take a slice from @begin to @end: of two slices in a lane,
 * one must enclose the other or end before it. Slices are offered in the order of their ends. If
 * the lane takes the slice, adds it to track->slices and removes those that it encloses, which no
 * later slice can meet.
 */
static bool takes_slice(struct wv_perfetto *perfetto, struct wv_perfetto_track *track,
			uint64_t begin, uint64_t end)
{
	struct wv_perfetto_slice *slice;
	size_t n = track->slices.n;

	while (n && track->slices.data[n - 1].begin > begin)
		n--;
	if (n && track->slices.data[n - 1].end > begin)
		return false;
	track->slices.n = n;
	slice = wv_vec_push(&track->slices);
	if (slice)
		*slice = (struct wv_perfetto_slice){ begin, end };
	else
		perfetto->failed = true;
	return true;
}

/*
 * Returns the first lane (a track below the track @task) that can take a slice from @begin to @end.
 */
static uint64_t lane_for(struct wv_perfetto *perfetto, uint64_t task, uint64_t begin, uint64_t end)
{
	descriptor_t descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	uint64_t uuid;
	bool new;

	for (uint64_t lane = 0;; lane++) {
		uuid = track_of(perfetto, WV_PERFETTO_LANE, lane << 32 | task, &new);
		if (new)
			describe(perfetto, uuid, task, perfetto->about->aspect, &descriptor);
		if (!uuid ||
		    takes_slice(perfetto, &perfetto->tracks.data[uuid - 1], begin, end))
			return uuid;
	}
}

/* ---- events ---------------------------------------------------------------------------------- */

/* A record, with its values and annotations as Perfetto's library wants them. */
struct event {
	const struct weft_record *record;
	char comm[17];
	/* The values of the record. The strings are owned, and freed by event_deinit(). */
	struct value {
		char *name, *unit, *text;
		int64_t number;
		bool is_number, is_pointer, is_signed;
	} values[WV_RENDER_VALUES];
	size_t n;
	annotation_t annotations[ANNOTATIONS_MAX], *list[ANNOTATIONS_MAX];
	size_t n_annotations;
};

static void event_deinit(struct event *event)
{
	for (size_t i = 0; i < event->n; i++) {
		free(event->values[i].name);
		free(event->values[i].unit);
		free(event->values[i].text);
	}
}

/*
 * Sets the members of @value that say whether its text is a number, and which. @type: the letter of
 * the value's conversion in the format.
 */
static void parse_number(struct value *value, char type)
{
	const int base = type == 'o' ? 8 : strchr("xXp", type) ? 16 : 10;
	const char *text = value->text + strspn(value->text, " ");
	char *end;

	if (!strchr("diuxXop", type) || !*text)
		return;
	errno = 0;
	value->number = *text == '-' ? strtoll(text, &end, base)
				     : (int64_t)strtoull(text, &end, base);
	value->is_number = !errno && end != text && !end[strspn(end, " ")];
	value->is_pointer = type == 'p';
	value->is_signed = strchr("di", type);
}

static char *copy(const char *start, const char *end)
{
	return strndup(start, (size_t)(end - start));
}

static int take_values(struct event *event, struct wv_error *error)
{
	const struct weft_record *record = event->record;
	const char *at = record->text + (record->text_size + 8) / 8 * 8;
	const char *names = at + record->nr_values * sizeof(struct weft_value);

	for (size_t i = 0; i < record->nr_values && i < WV_RENDER_VALUES; i++) {
		const struct wv_argument_name name = wv_argument_name(names, i);
		struct value *value = &event->values[event->n++];
		struct weft_value part;

		memcpy(&part, at + i * sizeof(part), sizeof(part));
		*value = (struct value){
			.name = copy(name.start, name.end),
			.unit = copy(name.unit, name.unit_end),
			.text = copy(record->text + part.start, record->text + part.end),
		};
		if (!value->name || !value->unit || !value->text)
			return wv_no_memory(error);
		parse_number(value, (char)part.type);
	}
	return 0;
}

static annotation_t *annotate(struct event *event, const char *name)
{
	annotation_t *annotation = &event->annotations[event->n_annotations];

	perfetto__protos__debug_annotation__init(annotation);
	annotation->name = (char *)name;
	event->list[event->n_annotations++] = annotation;
	return annotation;
}

static void annotate_value(struct event *event, const struct value *value)
{
	annotation_t *annotation = annotate(event, value->name);

	if (!value->is_number) {
		annotation->string_value = value->text;
	} else if (value->is_pointer) {
		annotation->has_pointer_value = true;
		annotation->pointer_value = (uint64_t)value->number;
	} else if (value->is_signed) {
		annotation->has_int_value = true;
		annotation->int_value = value->number;
	} else {
		annotation->has_uint_value = true;
		annotation->uint_value = (uint64_t)value->number;
	}
}

static void annotate_all(struct event *event, const char *where, const char *source)
{
	annotation_t *cpu;

	annotate(event, "text")->string_value = (char *)event->record->text;
	annotate(event, "joinpoint")->string_value = (char *)where;
	if (*source)
		annotate(event, "source")->string_value = (char *)source;
	cpu = annotate(event, "cpu");
	cpu->has_uint_value = true;
	cpu->uint_value = event->record->cpu;
	for (size_t i = 0; i < event->n; i++)
		annotate_value(event, &event->values[i]);
}

/*
 * Writes an event of Perfetto's type @type. @name: NULL for the end of a slice. @annotated: the
 * record whose annotations the event gets, or NULL.
 */
static void write_event(struct wv_perfetto *perfetto, int type, uint64_t track, uint64_t time,
			const char *name, struct event *annotated)
{
	packet_t packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	event_t event = PERFETTO__PROTOS__TRACK_EVENT__INIT;
	char *categories[] = { (char *)perfetto->about->aspect };

	event.has_type = event.has_track_uuid = true;
	event.type = (Perfetto__Protos__TrackEvent__Type)type;
	event.track_uuid = track;
	event.name = (char *)name;
	if (annotated) {
		event.n_debug_annotations = annotated->n_annotations;
		event.debug_annotations = annotated->list;
	}
	if (name) {
		event.n_categories = 1;
		event.categories = categories;
	}
	packet.has_timestamp = packet.has_timestamp_clock_id = true;
	packet.timestamp = time;
	packet.timestamp_clock_id = PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	packet.track_event = &event;
	write_packet(perfetto, &packet);
}

static void write_counter(struct wv_perfetto *perfetto, uint64_t time, const struct value *value)
{
	packet_t packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	event_t event = PERFETTO__PROTOS__TRACK_EVENT__INIT;

	event.has_type = event.has_track_uuid = event.has_counter_value = true;
	event.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_COUNTER;
	event.track_uuid = counter_track(perfetto, value->name, value->unit);
	event.counter_value = value->number;
	packet.has_timestamp = packet.has_timestamp_clock_id = true;
	packet.timestamp = time;
	packet.timestamp_clock_id = PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	packet.track_event = &event;
	write_packet(perfetto, &packet);
}

/* Returns whether the value's C is `$elapsed`, perhaps with a cast before it. */
static bool is_elapsed(const struct value *value)
{
	static const char name[] = "$elapsed";
	const size_t n = strlen(value->name), tail = strlen(name);

	return value->is_number && n >= tail && !strcmp(value->name + n - tail, name) &&
	       (n == tail || value->name[n - tail - 1] == ')');
}

/* Returns the value of `$elapsed`, which is in nanoseconds; NULL: the record has none. */
static const struct value *elapsed_of(const struct event *event)
{
	for (size_t i = 0; i < event->n; i++)
		if (is_elapsed(&event->values[i]))
			return &event->values[i];
	return NULL;
}

/* Returns the length of a joinpoint's name without the word " entry" or " exit" at its end. */
static int length_of_function(const char *name)
{
	const char *kind = strrchr(name, ' ');

	if (kind && (!strcmp(kind, " entry") || !strcmp(kind, " exit")))
		return (int)(kind - name);
	return (int)strlen(name);
}

/*
 * Writes the record for its task. With `$elapsed` it becomes a slice in a lane, whose name is the
 * joinpoint's without " exit"; otherwise an event without duration on the task's track.
 */
static void write_for_task(struct wv_perfetto *perfetto, struct event *event, const char *name)
{
	char function[sizeof(((struct weft_joinpoint_text *)0)->what)];
	const uint64_t task = task_track(perfetto, event->record, event->comm);
	const uint64_t time = event->record->time;
	const struct value *elapsed = elapsed_of(event);
	uint64_t lane, begin;

	if (!elapsed || (uint64_t)elapsed->number > time) {
		write_event(perfetto, PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_INSTANT, task, time,
			    name, event);
		return;
	}
	snprintf(function, sizeof(function), "%.*s", length_of_function(name), name);
	begin = time - (uint64_t)elapsed->number;
	lane = lane_for(perfetto, task, begin, time);
	write_event(perfetto, PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, lane, begin,
		    function, event);
	write_event(perfetto, PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_END, lane, time, NULL,
		    NULL);
}

static void write_for_cpu(struct wv_perfetto *perfetto, const struct event *event)
{
	const struct weft_record *record = event->record;
	const uint64_t cpu = cpu_track(perfetto, record->cpu);
	char name[sizeof(event->comm) + 16];

	if (record->lost) {
		snprintf(name, sizeof(name), "%" PRIu32 " lost", record->lost);
		write_event(perfetto, PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_INSTANT, cpu,
			    record->time, name, NULL);
	}
	snprintf(name, sizeof(name), "%s-%" PRIu32, event->comm, record->pid);
	write_event(perfetto, PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_INSTANT, cpu, record->time,
		    name, NULL);
}

int wv_perfetto_add(struct wv_perfetto *perfetto, const struct weft_record *record,
		    const struct weft_joinpoint_text *point, struct wv_error *error)
{
	struct event event = { .record = record };
	const struct wv_phrase where = wv_symbol_text(point->symbol, point->symbol_offset);
	const struct wv_phrase source = wv_source_text(point->file, point->line, 0);
	int err;

	snprintf(event.comm, sizeof(event.comm), "%.*s", (int)sizeof(record->comm), record->comm);
	err = take_values(&event, error);
	if (!err) {
		if (!perfetto->begun)
			write_clocks(perfetto, record->time);
		perfetto->begun = true;
		annotate_all(&event, where.text, point->file[0] ? source.text : "");
		write_for_task(perfetto, &event, point->what[0] ? point->what : where.text);
		write_for_cpu(perfetto, &event);
		for (size_t i = 0; i < event.n; i++)
			if (event.values[i].is_number && event.values[i].unit[0] &&
			    !is_elapsed(&event.values[i]))
				write_counter(perfetto, record->time, &event.values[i]);
	}
	event_deinit(&event);
	if (!err && perfetto->failed)
		err = wv_no_memory(error);
	return err;
}
