// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft serve`: shows the metrics of woven aspects to a browser, as pages that renew themselves,
 * and to a monitor, as OpenMetrics. Changes nothing.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/vec.h"
#include "cmds/cmd.h"
#include "cmds/http-server.h"
#include "cmds/kernel-report.h"
#include "cmds/options.h"
#include "live/once-states.h"
#include "live/read-metrics.h"
#include "live/requests.h"
#include "report/samples.h"

struct options {
	const char *token_file, *tree;
	size_t port;
};

/* An aspect, and its metrics over time, from the moment weft serve first saw it woven. */
struct served {
	char name[WEFT_NAME_MAX];
	/* hash of the aspect's module; another module of this name may have other metrics */
	uint64_t content;
	struct wv_samples samples;
};

struct server {
	const struct options *options;
	char *const *names; /* names of the aspects that are shown, from the command line */
	size_t nr_names;    /* number of .names; 0: all aspects are shown */
	struct wv_device device;
	struct wv_http_server http;
	WV_VEC(struct served) aspects;
};

#define INTERVAL_NS 1000000000ull /* length of an interval in nanoseconds, before it is doubled */
enum { WAIT_MS = 200 };		    /* pause between two checks whether an interval is over */

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

static bool is_shown(const struct server *server, const char *name)
{
	for (size_t i = 0; i < server->nr_names; i++)
		if (!strcmp(server->names[i], name))
			return true;
	return !server->nr_names;
}

/* ---- reading the metrics of each aspect now and then ----------------------------------------- */

static struct served *find_served(struct server *server, const char *name)
{
	wv_vec_for_each(served, &server->aspects)
		if (!strcmp(served->name, name))
			return served;
	return NULL;
}

static int add_served(struct server *server, const struct weft_status *status,
		      struct served **ret, struct wv_error *error)
{
	*ret = wv_vec_push(&server->aspects);
	if (!*ret)
		return wv_no_memory(error);
	memcpy((*ret)->name, status->name, sizeof((*ret)->name));
	(*ret)->content = status->content;
	wv_samples_begin(&(*ret)->samples, wv_clock_ns(), INTERVAL_NS);
	return 0;
}

static int sample(struct server *server, const struct weft_status *status, struct wv_error *error)
{
	struct served *served = find_served(server, status->name);
	struct wv_readings readings;
	int err = served ? 0 : add_served(server, status, &served, error);

	if (err || !wv_samples_are_due(&served->samples, wv_clock_ns()))
		return err;
	err = wv_readings_get(&server->device, status->name, &readings, error);
	if (err)
		return err == -WV_E_STATE ? 0 : err; /* unwoven meanwhile */
	err = wv_samples_add(&served->samples, &readings, wv_clock_ns(), error);
	wv_readings_deinit(&readings);
	return err;
}

/*
 * Removes those aspects from server->aspects that the kernel does not know any more, or whose
 * module was replaced by another one of the same name.
 */
static void forget(struct server *server, const struct wv_statuses *statuses)
{
	const struct weft_status *status;
	size_t kept = 0;

	wv_vec_for_each(served, &server->aspects) {
		status = wv_statuses_find(statuses, served->name);
		if (status && status->content == served->content)
			server->aspects.data[kept++] = *served;
		else
			wv_samples_deinit(&served->samples);
	}
	server->aspects.n = kept;
}

static int sample_all(struct server *server, struct wv_error *error)
{
	struct wv_statuses statuses;
	int err = wv_device_list(&server->device, &statuses, error);

	if (err)
		return err;
	forget(server, &statuses);
	wv_vec_for_each(status, &statuses.list)
		if (!err && status->state == WEFT_STATE_WOVEN && is_shown(server, status->name))
			err = sample(server, status, error);
	wv_statuses_deinit(&statuses);
	return err;
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void fail(struct wv_http_answer *ret, unsigned int status, const char *text)
{
	ret->status = status;
	ret->type = "text/plain; charset=utf-8";
	ret->body.n = 0;
	wv_str_addf(&ret->body, "%s\n", text);
}

static int make_list(struct server *server, struct wv_str *out, struct wv_error *error)
{
	struct wv_statuses statuses;
	struct wv_page_facts facts;
	int err = wv_device_list(&server->device, &statuses, error);

	if (err)
		return err;
	wv_page_facts_get(&facts);
	wv_list_html_begin(&facts, out);
	wv_vec_for_each(status, &statuses.list)
		if (is_shown(server, status->name))
			wv_list_html_row(status, out);
	wv_list_html_end(out);
	wv_statuses_deinit(&statuses);
	return 0;
}

/*
 * Adds to @out those parts of the page of the aspect @name that @part says. Returns -WV_E_STATE if
 * the kernel has no such aspect, or if this aspect is not shown.
 */
static int make_aspect(struct server *server, const char *name, enum wv_page_part part,
		       struct wv_str *out, struct wv_error *error)
{
	const struct served *served = find_served(server, name);
	struct wv_readings readings;
	struct weft_status status;
	struct wv_once once;
	int err = is_shown(server, name) ?
			  wv_readings_get(&server->device, name, &readings, error) :
			  wv_fail(error, WV_E_STATE, "%s is not shown here", name);

	if (err)
		return err;
	err = wv_once_get(&server->device, name, &once, error);
	if (!err)
		err = wv_readings_get_open(&server->device, name, &readings, error);
	if (!err)
		err = wv_kernel_status(&server->device, name, &status, error);
	if (!err)
		err = wv_kernel_page(&server->device,
				     &(struct wv_page){ .status = &status, .readings = &readings,
							.once = &once,
							.samples = served ? &served->samples : NULL,
							.tree = server->options->tree,
							.part = part },
				     out, error);
	wv_once_deinit(&once);
	wv_readings_deinit(&readings);
	return err;
}

/*
 * Parses @path. For "/aspect/NAME", the page of the aspect NAME, sets @name to NAME, and *@part_ret
 * to WV_PAGE_LIVE. For "/aspect/NAME/now", the content with which a page is renewed, sets
 * *@part_ret to WV_PAGE_CONTENT. Returns false for any other path.
 */
static bool split(const char *path, char name[WEFT_NAME_MAX], enum wv_page_part *part_ret)
{
	const char *begin = path + strlen("/aspect/"), *end;

	if (strncmp(path, "/aspect/", strlen("/aspect/")))
		return false;
	end = strchrnul(begin, '/');
	if (end == begin || end - begin >= WEFT_NAME_MAX || (*end && strcmp(end, "/now")))
		return false;
	snprintf(name, WEFT_NAME_MAX, "%.*s", (int)(end - begin), begin);
	*part_ret = *end ? WV_PAGE_CONTENT : WV_PAGE_LIVE;
	return true;
}

static void answer(void *context, const char *path, struct wv_http_answer *ret)
{
	struct server *server = context;
	char name[WEFT_NAME_MAX];
	enum wv_page_part part;
	struct wv_error error;
	int err;

	ret->status = 200;
	ret->type = "text/html; charset=utf-8";
	if (!strcmp(path, "/")) {
		err = make_list(server, &ret->body, &error);
	} else if (!strcmp(path, "/metrics")) {
		ret->type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
		err = wv_kernel_openmetrics(&server->device, server->names, server->nr_names,
					    WV_ABSENT_SHOWN, &ret->body, &error);
	} else if (split(path, name, &part)) {
		err = make_aspect(server, name, part, &ret->body, &error);
	} else {
		fail(ret, 404, "weft serve has no such page");
		return;
	}
	if (err)
		fail(ret, err == -WV_E_STATE ? 404 : 500, error.message);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print_address(const struct server *server, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };

	if (server->http.port && !server->options->token_file)
		wv_str_addf(&text, "http://127.0.0.1:%d/%s/\n", server->http.port,
			    server->http.session);
	else if (server->http.port)
		wv_str_addf(&text, "http://127.0.0.1:%d/ (?token=..., the first line of %s)\n",
			    server->http.port, server->options->token_file);
	return wv_print(&text, error);
}

static int serve(struct server *server, struct wv_error *error)
{
	int err = wv_http_begin(&server->http, (int)server->options->port,
				server->options->token_file, error);

	if (!err)
		err = print_address(server, error);
	while (!err && !interrupted) {
		err = sample_all(server, error);
		if (!err)
			wv_http_run(&server->http, WAIT_MS);
	}
	wv_http_end(&server->http);
	wv_vec_for_each(served, &server->aspects)
		wv_samples_deinit(&served->samples);
	wv_vec_deinit(&server->aspects);
	return err;
}

static const struct wv_option known[] = {
	WV_NUMBER(struct options, port, "port", 'p', "N",
		  "listen on this port of 127.0.0.1; default: one that is free"),
	WV_TEXT(struct options, token_file, "token-file", 0, "FILE", WV_COMPLETE_FILE,
		"the first line of FILE is the token; default: a random one, which is shown"),
	WV_TEXT(struct options, tree, "source", 's', "TREE", WV_COMPLETE_FOLDER,
		"show lines of this source tree, with their hits"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	const struct sigaction end = { .sa_handler = on_signal };
	struct options options = { 0 };
	struct server server = { .options = &options, .http.answer = answer,
				 .http.context = &server };
	int first, err = wv_options_parse(&wv_cmd_serve, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (options.port > 65535)
		return wv_usage(error, "serve", "--port %zu: ports end at 65535", options.port);
	server.names = argv + first;
	server.nr_names = (size_t)(argc - first);
	err = wv_device_open(&server.device, error);
	if (err)
		return err;
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	err = serve(&server, error);
	wv_device_close(&server.device);
	return err;
}

const struct wv_cmd wv_cmd_serve = {
	.name = "serve",
	.run = run,
	.summary = "show the metrics of woven aspects to a browser and to monitors",
	.usage = "[options] [NAME...]",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.more = true,
	.notes = "Prints the address to open: a list of the aspects, woven or not any more (those\n"
		 "of the NAMEs, if any), each with its page, which renews itself every two\n"
		 "seconds. /metrics is for Prometheus and others. Ends with ^C.\n"
		 "\n"
		 "Only this machine can connect, and only who has the token, which is the first\n"
		 "part of the address's path; programs send \"Authorization: Bearer TOKEN\". With\n"
		 "--token-file a browser opens /?token=TOKEN, and is sent on to an address that\n"
		 "holds until ^C. Nothing can be changed through the pages. Under systemd's\n"
		 "socket activation the socket is the unit's, wherever that listens. Needs\n"
		 "libmicrohttpd (apt install libmicrohttpd12).\n",
	.examples = "# The address, with a token that holds until ^C\nweft serve\n"
		    "# For a monitor that knows the token\n"
		    "weft serve --port 9464 --token-file /etc/weft/token\n",
};
