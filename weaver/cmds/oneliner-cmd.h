/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common part of the one-liners (`weft count`, `hist`, `time`, `log`, `watch`, `stacks`): their
 * options, and all steps from the command line to the report.
 */
#ifndef WV_ONELINER_CMD_H
#define WV_ONELINER_CMD_H

#include "aspect/oneliner/oneliner.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/live-view.h"
#include "cmds/option-row.h"

struct wv_oneliner_options {
	struct wv_oneliner asked;
	struct wv_module_options module;
	struct wv_texts by;
	const char *output, *html;
	/* values of the options of one-liners that write records; NULL: not given */
	const char *record, *buffer;
	uint64_t lasts;
	const char *sort;
	size_t top;
	bool xml, quiet, json, own, watch, open;
};

/* The option rows of one-liners that write records. */
#define WV_ONELINER_RECORD                                                                         \
	WV_TEXT(struct wv_oneliner_options, record, "record", 0, "FOLDER", WV_COMPLETE_FILE,       \
		"write a recording to FOLDER instead, as `weft record` does"),                     \
		WV_TEXT(struct wv_oneliner_options, buffer, "buffer", 0, "SIZE", WV_COMPLETE_ANY,  \
			"with --record: the size of each CPU's buffer, as 16M")

/* The option rows that every one-liner has. They come after its own rows. */
#define WV_ONELINER_OPTIONS                                                                        \
	WV_TEXT(struct wv_oneliner_options, asked.kinds, "kind", 0, "KIND", WV_COMPLETE_KINDS,   \
		"of members these accesses, several with '|' between; as a second word of the "    \
		"pointcut, 'sock.sk_state set|rmw', the same"),                                    \
		WV_TEXT(struct wv_oneliner_options, asked.within, "within", 'w', "W",              \
			WV_COMPLETE_WITHIN, "only what is in this file, folder (fs/ext4/) or "     \
			"function"),                                                               \
		WV_TEXT(struct wv_oneliner_options, asked.condition, "if", 'i', "C",               \
			WV_COMPLETE_ANY, "only hits where this expression in C is not zero: "      \
			"'$arg3 > 4096'"),                                                         \
		WV_TEXT(struct wv_oneliner_options, asked.pid, "pid", 'p', "N", WV_COMPLETE_ANY,   \
			"only hits of process N, all its threads"),                                \
		WV_TEXT(struct wv_oneliner_options, asked.comm, "comm", 0, "NAME",                 \
			WV_COMPLETE_ANY, "only hits of tasks of that name"),                       \
		WV_TEXT(struct wv_oneliner_options, asked.uid, "uid", 0, "N", WV_COMPLETE_ANY,     \
			"only hits of user number N"),                                             \
		WV_FLAG(struct wv_oneliner_options, own, "own", 0,                                 \
			"only hits of COMMAND and of the processes that it starts"),               \
		WV_TIME(struct wv_oneliner_options, lasts, "for", 0,                               \
			"for that long, instead of until ^C: 10s, 500ms"),                         \
		WV_TEXT(struct wv_oneliner_options, asked.include, "include", 0, "HEADER",         \
			WV_COMPLETE_ANY, "a header that the C needs: linux/fs.h"),                 \
		WV_TEXT(struct wv_oneliner_options, asked.name, "name", 0, "NAME",                 \
			WV_COMPLETE_ANY, "the aspect's name (default: made of the question)"),     \
		WV_FLAG(struct wv_oneliner_options, xml, "xml", 0,                               \
			"print the aspect that this is, for `weft run`, and do nothing else"),     \
		WV_TEXT(struct wv_oneliner_options, output, "output", 'o', "FILE",                 \
			WV_COMPLETE_FILE, "write what is found to FILE (default: to standard "     \
			"output; if COMMAND runs to standard error, after it)"),                   \
		WV_FLAG(struct wv_oneliner_options, json, "json", 'j', "as JSON, an object a "     \
			"line"),                                                                   \
		WV_TEXT(struct wv_oneliner_options, html, "html", 0, "FILE", WV_COMPLETE_FILE,     \
			"write a page as well, with plots, over time, to FILE"),                   \
		WV_FLAG(struct wv_oneliner_options, quiet, "quiet", 'q',                           \
			"beside what is found, only what is wrong"),                               \
		WV_MODULE_OPTIONS(struct wv_oneliner_options, module.), { 0 }

/* The option rows of one-liners that count: what the keys are, and how rows are shown. */
#define WV_ONELINER_BY                                                                             \
	WV_TEXTS(struct wv_oneliner_options, by, "by", 'b', "KEY", WV_COMPLETE_ANY,                \
		 "a row for each comm, pid, tid, uid, cpu, function, joinpoint, target, stack, "   \
		 "now, or value of an expression in C; given again, or with commas, for each "     \
		 "combination: 'comm, bucket(now, 1s)'"),                                          \
		WV_TEXT(struct wv_oneliner_options, asked.rows, "rows", 0, "N", WV_COMPLETE_ANY,   \
			"room for so many rows; hits that find none are counted and printed"),     \
		WV_VIEW_OPTIONS(struct wv_oneliner_options),                                       \
		WV_FLAG(struct wv_oneliner_options, watch, "watch", 0,                             \
			"show it every second until ^C, in place, with the last 20 seconds of "    \
			"each row")

/* The operands that a one-liner may have before COMMAND: pointcuts, and for `weft log` a format. */
struct wv_oneliner_operands {
	enum wv_oneliner_type type;
	int least, most; /* minimum and maximum number of pointcuts */
	bool format;	 /* a format and its arguments may follow the pointcuts */
};

/*
 * Runs a one-liner; called by .run of each one-liner's command. @cmd is the command, and @operands
 * says which operands it takes.
 */
int wv_oneliner_run(const struct wv_cmd *cmd, const struct wv_oneliner_operands *operands, int argc,
		    char **argv, struct wv_error *error);

/* The paragraph at the end of each one-liner's help. */
#define WV_ONELINER_NOTES                                                                    \
	"\nIt ends at ^C, after --for, or with COMMAND, whose standard output stays its\n"   \
	"own; then it is unwoven, and what was found is shown. The exit status is\n"         \
	"COMMAND's, else 0. `weft help points` shows how pointcuts are written. With --xml\n" \
	"it prints itself as an aspect: what one line cannot say can be added there.\n"

#endif /* WV_ONELINER_CMD_H */
