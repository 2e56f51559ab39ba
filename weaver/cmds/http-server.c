// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Serves pages by libmicrohttpd; see http-server.h.
 *
 * Addresses for a browser begin with the session word: "/WORD/aspect/NAME". Pages link to one
 * another by relative addresses. There is no cookie, because a browser sends a cookie of 127.0.0.1
 * to all ports of this address, and behind another port there may be the server of another user.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/whole-file.h"
#include "cmds/http-server.h"

#define SONAME "libmicrohttpd.so.12"
#define FUNCTIONS(f)                                                                  \
	f(MHD_start_daemon) f(MHD_stop_daemon) f(MHD_run_wait)                        \
	f(MHD_lookup_connection_value) f(MHD_create_response_from_buffer)             \
	f(MHD_add_response_header) f(MHD_queue_response) f(MHD_destroy_response)

enum {
	CONNECTIONS_MAX = 32,
	SECONDS_MAX = 30, /* a connection is closed after this time without a request */
	TOKEN_BYTES = 16, /* number of random bytes in a token that the server makes */
	LISTENING_FD = 3, /* the first socket that systemd passes to a process (sd_listen_fds(3)) */
};

/* The functions of libmicrohttpd, by their names. */
static struct {
#define DECLARE(name) __typeof__(&name) name;
	FUNCTIONS(DECLARE)
#undef DECLARE
} library;

static int load(struct wv_error *error)
{
	void *handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return wv_fail(error, WV_E_FAILURE, "weft serve needs libmicrohttpd (apt install "
			       "libmicrohttpd12): %s", dlerror());
#define FIND(name)                                                                           \
	library.name = (__typeof__(library.name))dlsym(handle, #name);                       \
	if (!library.name)                                                                   \
		return wv_fail(error, WV_E_FAILURE, "another libmicrohttpd is needed: %s",   \
			       dlerror());
	FUNCTIONS(FIND)
#undef FIND
	return 0;
}

/* ---- the token ------------------------------------------------------------------------------- */

static bool is_token_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("._-", c));
}

static int read_token(const char *path, char ret[WV_TOKEN_MAX], struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct stat status;
	const char *line;
	size_t n = 0;
	int err = wv_whole_file(path, &text, error);

	if (err)
		return err;
	if (stat(path, &status) || status.st_mode & S_IROTH)
		return wv_fail(error, WV_E_FAILURE, "%s: everybody can read the token (chmod o-r)",
			       path);
	line = wv_str_text(&text);
	while (is_token_char(line[n]))
		n++;
	if (n < TOKEN_BYTES || n >= WV_TOKEN_MAX || (line[n] && line[n] != '\n'))
		return wv_fail(error, WV_E_FORMAT,
			       "%s: the first line is no token: %d to %d letters, digits, and "
			       "'.', '_', '-'",
			       path, TOKEN_BYTES, WV_TOKEN_MAX - 1);
	snprintf(ret, WV_TOKEN_MAX, "%.*s", (int)n, line);
	return 0;
}

static int make_token(char ret[WV_TOKEN_MAX], struct wv_error *error)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return wv_fail_errno(error, EIO, "random bytes");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/*
 * Returns whether the @n bytes at @text are the secret word @word. The time that this takes does
 * not depend on where they differ.
 */
static bool is_word(const char *word, const char *text, size_t n)
{
	unsigned char differ = 0;

	if (strlen(word) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		differ |= (unsigned char)(text[i] ^ word[i]);
	return !differ;
}

static bool is_token(const struct wv_http_server *server, const char *text)
{
	return text && is_word(server->token, text, strlen(text));
}

/* ---- answers --------------------------------------------------------------------------------- */

/*
 * Sends an answer with the body @body of media type @type, and takes over the memory of *@body.
 * Unless @location is NULL, the answer has a header "Location" with this address.
 */
static enum MHD_Result reply(struct MHD_Connection *connection, unsigned int status,
			     const char *type, struct wv_str *body, const char *location)
{
	struct MHD_Response *response = library.MHD_create_response_from_buffer(
		body->n, body->data, body->data ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
	enum MHD_Result queued;

	if (!response) {
		wv_str_deinit(body);
		return MHD_NO;
	}
	library.MHD_add_response_header(response, "Content-Type", type);
	library.MHD_add_response_header(response, "Cache-Control", "no-store");
	library.MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	library.MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (location)
		library.MHD_add_response_header(response, "Location", location);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		library.MHD_add_response_header(response, "Allow", "GET, HEAD");
	queued = library.MHD_queue_response(connection, status, response);
	library.MHD_destroy_response(response);
	return queued;
}

static enum MHD_Result reply_text(struct MHD_Connection *connection, unsigned int status,
				  const char *text)
{
	struct wv_str body = { 0 };

	wv_str_add(&body, text);
	return reply(connection, status, "text/plain; charset=utf-8", &body, NULL);
}

/* Sends the browser to the list of aspects, at an address that begins with the session word. */
static enum MHD_Result reply_session(const struct wv_http_server *server,
				     struct MHD_Connection *connection)
{
	char location[WV_TOKEN_MAX + 2];
	struct wv_str body = { 0 };

	snprintf(location, sizeof(location), "/%s/", server->session);
	return reply(connection, MHD_HTTP_SEE_OTHER, "text/plain", &body, location);
}

/*
 * Returns the path of the requested page, without its first part, the session word (see
 * http-server.h). Returns NULL if the request has neither this word nor the token.
 */
static const char *find_page(const struct wv_http_server *server,
			     struct MHD_Connection *connection, const char *path)
{
	const char *header = library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
								 "Authorization");
	const size_t n = path[0] == '/' ? strcspn(path + 1, "/") : 0;

	if (n && path[1 + n] == '/' && is_word(server->session, path + 1, n))
		return path + 1 + n;
	return header && !strncmp(header, "Bearer ", 7) && is_token(server, header + 7) ? path :
											  NULL;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
				  const char *path, const char *method, const char *version,
				  const char *upload, size_t *upload_size, void **request)
{
	static int begun;
	struct wv_http_server *server = context;
	struct wv_http_answer answer = { 0 };
	const char *page;

	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return reply_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				  "weft serve only shows\n");
	/*
	 * libmicrohttpd calls this function several times for a request: first when it has read the
	 * headers. An answer at the first call would also end the connection, so answer at the
	 * second call.
	 */
	if (!*request) {
		*request = &begun;
		return MHD_YES;
	}
	if (is_token(server, library.MHD_lookup_connection_value(connection,
								 MHD_GET_ARGUMENT_KIND, "token")))
		return reply_session(server, connection);
	page = find_page(server, connection, path);
	if (!page)
		return reply_text(connection, MHD_HTTP_FORBIDDEN,
				  "Open the address that weft serve has printed, "
				  "or send its token.\n");
	server->answer(server->context, page, &answer);
	if (answer.body.failed) {
		wv_str_deinit(&answer.body);
		return reply_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n");
	}
	return reply(connection, answer.status, answer.type, &answer.body, NULL);
}

/* ---- the socket ------------------------------------------------------------------------------ */

/* Returns the socket that systemd has passed to this process; -1: there is none. */
static int passed_socket(void)
{
	const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");

	if (!pid || !n || atoi(pid) != getpid() || atoi(n) < 1)
		return -1;
	/*
	 * A connection may be gone before it is accepted. accept() must not wait for the next one
	 * then.
	 */
	fcntl(LISTENING_FD, F_SETFL, fcntl(LISTENING_FD, F_GETFL) | O_NONBLOCK);
	return LISTENING_FD;
}

static int listen_on(int port, int *ret, struct wv_error *error)
{
	const struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons(port),
					  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const int yes = 1;

	*ret = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*ret < 0)
		return wv_fail_errno(error, errno, "a socket");
	setsockopt(*ret, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(*ret, (const struct sockaddr *)&here, sizeof(here)) ||
	    listen(*ret, CONNECTIONS_MAX)) {
		int err = wv_fail_errno(error, errno, "port %d of 127.0.0.1", port);

		close(*ret);
		return err;
	}
	return 0;
}

static int port_of(int socket)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	if (getsockname(socket, (struct sockaddr *)&address, &size) ||
	    address.sin_family != AF_INET)
		return 0;
	return ntohs(address.sin_port);
}

int wv_http_begin(struct wv_http_server *server, int port, const char *token_file,
		  struct wv_error *error)
{
	int socket = passed_socket();
	int err = load(error);

	if (!err)
		err = make_token(server->session, error);
	if (!err && token_file)
		err = read_token(token_file, server->token, error);
	else if (!err)
		memcpy(server->token, server->session, sizeof(server->token));
	if (!err && socket < 0)
		err = listen_on(port, &socket, error);
	if (err)
		return err;
	server->port = port_of(socket);
	server->daemon = library.MHD_start_daemon(
		MHD_NO_FLAG, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, socket,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)SECONDS_MAX, MHD_OPTION_END);
	if (server->daemon)
		return 0;
	close(socket);
	return wv_fail(error, WV_E_FAILURE,
		       "libmicrohttpd does not begin to serve: memory or open files may be used up "
		       "(ulimit -a)");
}

void wv_http_run(struct wv_http_server *server, int milliseconds)
{
	library.MHD_run_wait(server->daemon, milliseconds);
}

void wv_http_end(struct wv_http_server *server)
{
	if (server->daemon)
		library.MHD_stop_daemon(server->daemon);
	server->daemon = NULL;
}
