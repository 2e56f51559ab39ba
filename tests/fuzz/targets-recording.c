// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fuzzing target for recordings. An input is a table of statements and the stream of one CPU,
 * with a NUL between them. All records are read, and printed as text and as JSON, exported, and
 * printed as `weft ktrace` prints them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/ktrace-text.h"
#include "report/records.h"
#include "targets.h"
#include "trace/ktrace-ber.h"
#include "trace/perfetto.h"
#include "trace/recording.h"

static char folder[4096], table[4200], stream[4200];

static bool write_file(const char *path, const uint8_t *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool written = fd >= 0 && write(fd, bytes, n) == (ssize_t)n;

	if (fd >= 0)
		close(fd);
	return written;
}

static bool make_folder(void)
{
	char below[4200];

	snprintf(folder, sizeof(folder), "%s.ctf", targets_input);
	snprintf(below, sizeof(below), "%s/weft", folder);
	snprintf(table, sizeof(table), "%s/weft/table", folder);
	snprintf(stream, sizeof(stream), "%s/cpu0", folder);
	return (!mkdir(folder, 0777) || errno == EEXIST) &&
	       (!mkdir(below, 0777) || errno == EEXIST);
}

void recording_remove(void)
{
	char below[4200];

	snprintf(below, sizeof(below), "%s/weft", folder);
	unlink(table);
	unlink(stream);
	rmdir(below);
	rmdir(folder);
}

static int print_all(struct wv_recording *recording, bool json, struct wv_error *error)
{
	struct wv_record_printer printer = { .recording = recording,
					     .aspect = "fuzz",
					     .json = json };
	const struct weft_record *record;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return wv_no_memory(error);
	do {
		err = wv_recording_next(recording, &record, error);
		if (!err && record)
			err = wv_records_print(&printer, out, record, record->size, error);
	} while (!err && record);
	fclose(out);
	free(text);
	wv_record_printer_deinit(&printer);
	return err;
}

static int export_all(struct wv_recording *recording, struct wv_error *error)
{
	struct wv_perfetto perfetto = { .about = &recording->table.about };
	const struct weft_record *record;
	char *text = NULL;
	size_t size;
	int err;

	perfetto.out = open_memstream(&text, &size);
	if (!perfetto.out)
		return wv_no_memory(error);
	do {
		struct weft_joinpoint_text point;

		err = wv_recording_next(recording, &record, error);
		if (err || !record)
			break;
		wv_recording_joinpoint(recording, record->joinpoint, &point);
		err = wv_perfetto_add(&perfetto, record, &point, error);
	} while (!err);
	fclose(perfetto.out);
	free(text);
	wv_perfetto_deinit(&perfetto);
	return err;
}

/* Prints all events in the three forms of `weft ktrace`. */
static int trace_all(struct wv_recording *recording, struct wv_error *error)
{
	const struct weft_record *record;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct wv_ktrace_calls calls = { .out = out };
	struct wv_ktrace_ber ber = { .out = out };
	struct wv_ktrace ktrace = { .cpus = { 0 } };
	int err;

	if (!out)
		return wv_no_memory(error);
	for (;;) {
		struct wv_ktrace_event event;
		bool any;

		err = wv_recording_next(recording, &record, error);
		if (err || !record)
			break;
		err = wv_ktrace_add(&ktrace, record, &event, &any, error);
		if (!err && any) {
			wv_ktrace_print(out, &event);
			wv_ktrace_ber_add(&ber, &event);
			err = wv_ktrace_calls_add(&calls, &event, error);
		}
		if (err)
			break;
	}
	wv_ktrace_calls_end(&calls);
	wv_ktrace_calls_deinit(&calls);
	wv_ktrace_deinit(&ktrace);
	fclose(out);
	free(text);
	return err;
}

/*
 * Renders one record with a copy of its arguments, so that the sanitizer sees a read beyond them,
 * which it would not see in the mapped file.
 */
static int render_alone(const struct wv_recording *recording, const struct wv_raw *raw,
			struct wv_error *error)
{
	const struct wv_symbol_finder symbols = { wv_trace_symbol_find, &recording->table };
	struct wv_rendered rendered;
	uint8_t *words = malloc(raw->size ? raw->size : 1);
	int err;

	if (!words)
		return wv_no_memory(error);
	memcpy(words, raw->values, raw->size);
	err = wv_render(raw->statement->format, &raw->statement->fields, &symbols, words, raw->size,
			&rendered, error);
	free(words);
	return err;
}

static int render_all(struct wv_recording *recording, struct wv_error *error)
{
	int err = 0;

	wv_vec_for_each(at, &recording->streams) {
		struct wv_raw raw;
		bool any = true;

		while (!err && any) {
			err = wv_recording_next_raw(recording, at, &raw, &any, error);
			if (!err && any)
				err = render_alone(recording, &raw, error);
		}
	}
	return err;
}

bool run_recording(const uint8_t *bytes, size_t n, const char **message_ret)
{
	static struct wv_error error;
	const uint8_t *end = memchr(bytes, '\0', n);
	const size_t text = end ? (size_t)(end - bytes) : n;
	int ret = 0;

	if (!make_folder() || !write_file(table, bytes, text) ||
	    !write_file(stream, end ? end + 1 : bytes, end ? n - text - 1 : 0)) {
		*message_ret = "the input cannot be written";
		return false;
	}
	for (int way = 0; way < 5; way++) {
		struct wv_recording *recording = malloc(sizeof(*recording));

		if (!recording)
			break;
		ret = wv_recording_open(folder, recording, &error);
		if (!ret) {
			ret = way < 2	 ? print_all(recording, way, &error)
			      : way == 2 ? export_all(recording, &error)
			      : way == 3 ? trace_all(recording, &error)
					 : render_all(recording, &error);
			wv_recording_close(recording);
		}
		free(recording);
	}
	*message_ret = error.message;
	return !ret || (ret == -WV_E_FORMAT && error.message[0] && !strchr(error.message, '\n'));
}
