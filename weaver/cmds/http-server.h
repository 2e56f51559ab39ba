/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small HTTP server for pages that only the user who has started it may see. It answers only GET
 * and HEAD, and only requests that have a secret word: the token, in the header "Authorization:
 * Bearer TOKEN", or the session word, as the first part of the path. libmicrohttpd does the work;
 * this library is loaded when a server begins. All functions must be called in one thread.
 */
#ifndef WV_HTTP_SERVER_H
#define WV_HTTP_SERVER_H

#include "base/error.h"
#include "base/str.h"

/*
 * Maximum size of a token in bytes, with the NUL. A token that the server makes has 128 random
 * bits, in hexadecimal; a token that comes from a file may be longer.
 */
enum { WV_TOKEN_MAX = 256 };

struct wv_http_answer {
	unsigned int status; /* HTTP status code, such as 200 */
	const char *type;    /* media type of the body; a constant */
	struct wv_str body;
};

struct wv_http_server {
	int port;		  /* the port of the server; 0: the socket is not IPv4 */
	char token[WV_TOKEN_MAX]; /* letters, digits, and . _ - */
	/*
	 * The session word: a random word that is valid until wv_http_end(). If the token is
	 * random, the session word equals the token. If the token comes from a file, a browser that
	 * asks for "/?token=TOKEN" is sent to an address with the session word, so that the address
	 * which the browser keeps in its history does not have the token.
	 */
	char session[WV_TOKEN_MAX];
	/*
	 * Called for each request that has the token or the session word. @path is the path of the
	 * request without the session word; it begins with a slash, and is untrusted. The function
	 * sets *@ret to the answer, whose body the server frees.
	 */
	void (*answer)(void *context, const char *path, struct wv_http_answer *ret);
	void *context;
	void *daemon; /* the struct MHD_Daemon of libmicrohttpd */
};

/*
 * Begins to serve. The caller has set .answer and .context of @server; all else is zero.
 * @port: the port on 127.0.0.1; 0: any port that is free. If systemd has passed a socket to the
 * process (LISTEN_FDS), serves on that socket, and ignores @port.
 * @token_file: a file whose first line is the token; NULL: the token is random.
 */
int wv_http_begin(struct wv_http_server *server, int port, const char *token_file,
		  struct wv_error *error);

/* Waits for requests for at most @milliseconds, and answers those that have come. */
void wv_http_run(struct wv_http_server *server, int milliseconds);

void wv_http_end(struct wv_http_server *server);

#endif /* WV_HTTP_SERVER_H */
